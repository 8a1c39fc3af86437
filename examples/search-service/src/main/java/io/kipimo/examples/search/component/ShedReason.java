package io.kipimo.examples.search.component;

/** Reasons why an unsampled query gets no result. */
enum ShedReason {
    /** Too many queries were waiting. */
    QUEUE_FULL,
    /** The deadline passed while the query waited. */
    STALE,
    /** The deadline passed while the query was searched. */
    CUT
}
