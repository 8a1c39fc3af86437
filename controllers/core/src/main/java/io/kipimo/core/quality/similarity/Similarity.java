package io.kipimo.core.quality.similarity;

/** Similarity of the online answer to the mature answer; pure and safe for use by many threads. */
public interface Similarity {
    /** Name as in policies, with the parameter: {@code tpr@20}. */
    String name();

    /**
     * The similarity, 0..1; 1 for the same ranking. It is 1 if {@code mature} is empty, since
     * nothing was missed; otherwise 0 if {@code online} is empty.
     */
    double of(Ranking online, Ranking mature);
}
