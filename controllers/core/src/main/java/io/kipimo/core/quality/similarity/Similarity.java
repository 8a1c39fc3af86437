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
     * The share that each of the best mature items adds to the similarity, by rank from 0; all shares sum to 1. The
     * similarity of an answer must be the sum of the shares of its items. This must hold for every answer that has at
     * least as many items as {@code online}, and has the best mature items before its others. Empty (the default) if it
     * does not hold; then losses are attributed by comparing many answers.
     *
     * @param mature the mature answer, not empty
     */
    default Optional<double[]> itemShares(Ranking online, Ranking mature) {
        return Optional.empty();
    }
}
