package io.kipimo.examples.search.component;

/** Reasons why an unsampled query gets no result. */
enum ShedReason {
    /** Too many queries were waiting. */
    QUEUE_FULL,
    /** The deadline passed while it waited. */
    STALE,
    /** The deadline passed while it was searched. */
    CUT
}
