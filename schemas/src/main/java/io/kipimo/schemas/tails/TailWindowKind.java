package io.kipimo.schemas.tails;

/** Kind of a window. */
public enum TailWindowKind {
    /** Short; one follows the other. */
    TUMBLING,
    /** Long; merged from short ones, and overlapping. */
    SLIDING
}
