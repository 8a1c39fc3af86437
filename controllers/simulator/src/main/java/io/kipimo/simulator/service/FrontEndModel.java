package io.kipimo.simulator.service;

/** What the service's front end does besides calling the first tier. */
public interface FrontEndModel {
    /** Whether a query that asks to be admitted is. */
    boolean admits(Query query);

    /** Whether its late results are kept alive to be measured. */
    boolean isSampled(Query query);

    /** An answer leaves. */
    void answered(Query query);

    /** A partition's result came after the answer of a query that is sampled. */
    void lateResult(Query query, int partition);
}
