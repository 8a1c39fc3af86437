package io.kipimo.core.invalidation;

/** Result of applying a write to a cell. */
public enum WriteOutcome {
    /** The write was matched against all queries of the cell. */
    APPLIED,
    /** This or a newer version of the record was seen before, so the write was ignored. */
    STALE
}
