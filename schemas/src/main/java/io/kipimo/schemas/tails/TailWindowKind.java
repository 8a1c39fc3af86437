package io.kipimo.schemas.tails;

/** Kind of a window. */
public enum TailWindowKind {
    /** Short; each begins where the one before ends. */
    TUMBLING,
    /** Long; merged from short windows. Sliding windows overlap. */
    SLIDING
}
