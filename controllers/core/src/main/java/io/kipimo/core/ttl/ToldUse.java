package io.kipimo.core.ttl;

import io.kipimo.core.invalidation.Representation;

/**
 * What was last told of a query's use.
 *
 * @param form null: none was chosen
 * @param hitsSavedPerSecond from 0; -1: nothing was told yet
 */
public record ToldUse(Representation form, double hitsSavedPerSecond) {
    public static final ToldUse NOTHING = new ToldUse(null, -1);
}
