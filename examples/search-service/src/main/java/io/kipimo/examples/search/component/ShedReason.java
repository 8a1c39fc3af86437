package io.kipimo.examples.search.component;

/** Why an unsampled query gets no result. */
public enum ShedReason {
    /** Too many queries wait already. */
    QUEUE_FULL,
    /** The deadline passed while it waited. */
    STALE,
    /** The deadline passed while it was searched. */
    CUT
}
