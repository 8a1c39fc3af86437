package io.kipimo.simulator.service;

/** Behaviour of the service's front end, apart from its calls to the first tier. */
public interface FrontEndModel {
    /** Whether a query is admitted. */
    boolean admits(Query query);

    /** Chooses the partitions that an admitted query asks; by default all. */
    default void choose(Query query) {}

    /** Whether late results of the query are kept for its measurement. */
    boolean isSampled(Query query);

    /** Called when an answer leaves. */
    void answered(Query query);

    /** Called when a partition's result of a sampled query has arrived after the answer. */
    void lateResult(Query query, int partition);
}
