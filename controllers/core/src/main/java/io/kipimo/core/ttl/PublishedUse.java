package io.kipimo.core.ttl;

import io.kipimo.core.invalidation.Representation;

/**
 * The use that was last published for a query.
 *
 * @param form form in which the query's result is cached; null: none was chosen
 * @param hitsSavedPerSecond reads a second that caches answer instead of the origin, from 0; -1: nothing was published
 *     yet
 */
public record PublishedUse(Representation form, double hitsSavedPerSecond) {
    public static final PublishedUse NOTHING = new PublishedUse(null, -1);
}
