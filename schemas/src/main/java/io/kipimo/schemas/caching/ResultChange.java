package io.kipimo.schemas.caching;

/** Effect of a write on a query's result. */
public enum ResultChange {
    /** The record entered the result. */
    ADDED,
    /** The record left the result. */
    REMOVED,
    /** The record stays in its place with other content. */
    CHANGED,
    /** The record stays in the result with other content, in another place. */
    MOVED,
    /** The known part of the result is exhausted. The query must be evaluated again. */
    UNKNOWN,
    /** No change: a mark that reports how far the partition is complete. */
    NONE,
    /** The query is not watched, or is no longer watched. No further invalidations of its result are sent. */
    REFUSED;

    /** Whether the change concerns no single record, so that the record may be empty. */
    public boolean mayLackRecord() {
        return this == UNKNOWN || this == REFUSED || this == NONE;
    }
}
