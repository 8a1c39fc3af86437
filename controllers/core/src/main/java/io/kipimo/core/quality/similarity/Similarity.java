package io.kipimo.core.quality.similarity;

import java.util.Optional;

/** Similarity of the online answer to the mature answer; pure and safe for use by many threads. */
public interface Similarity {
    /** Name as in policies, with the parameter: {@code tpr@20}. */
    String name();

    /**
     * The similarity, 0..1; 1 for the same ranking. It is 1 if {@code mature} is empty, since nothing was missed;
     * otherwise 0 if {@code online} is empty.
     */
    double of(Ranking online, Ranking mature);

    /**
     * What each of the best mature items adds, by rank from 0, if the similarity is their sum over the items that an
     * answer has; all of them sum to 1. It must hold of every answer that has at least as many items as {@code online},
     * and has the best mature items before its others. Empty (the default): it does not, and losses are attributed by
     * comparing many answers.
     *
     * @param mature the mature answer, not empty
     */
    default Optional<double[]> itemShares(Ranking online, Ranking mature) {
        return Optional.empty();
    }
}
