package io.kipimo.core.quality.similarity;

/** How much of the mature answer the online answer has; pure and safe for use by many threads. */
public interface Similarity {
    /** As written in policies, with the parameter: {@code tpr@20}. */
    String name();

    /**
     * 0..1; 1 for the same ranking. 1 when {@code mature} is empty: nothing was missed; else 0 when
     * {@code online} is.
     */
    double of(Ranking online, Ranking mature);
}
