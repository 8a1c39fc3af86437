package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;

/** Answers of fixed parts together with any set of players' parts; for one thread. */
@FunctionalInterface
public interface Coalitions {
    /**
     * The answer with these players.
     *
     * @param players bit i: player i is in
     */
    Ranking with(long players);
}
