package io.kipimo.core.invalidation;

/** Outcome of a write. */
public enum WriteOutcome {
    /** It was matched against all queries. */
    APPLIED,
    /** This or a newer version of the record was seen before: ignored. */
    STALE
}
