package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;

/** The answers that parts make with each set of some others; for one thread. */
@FunctionalInterface
public interface Coalitions {
    /**
     * The answer with these players.
     *
     * @param players bit i: player i is in
     */
    Ranking with(long players);
}
