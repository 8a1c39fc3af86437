package io.kipimo.schemas.tails;

/** How windows follow each other. */
public enum TailWindowKind {
    /** Short, one after the other. */
    TUMBLING,
    /** Long, merged of short ones, and overlapping. */
    SLIDING
}
