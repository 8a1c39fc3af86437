package io.kipimo.schemas.caching;

/** What a write did to a query's result. */
public enum ResultChange {
    /** The record entered the result. */
    ADDED,
    /** The record left the result. */
    REMOVED,
    /** The record stays where it is, with other content. */
    CHANGED,
    /** The record stays, with other content and in another place. */
    MOVED,
    /** What is known of the result is used up: it is to be evaluated again. */
    UNKNOWN,
    /** Nothing: it only tells how far the partition is complete. */
    NONE,
    /** There is no room for the query, or no more: nobody tells when its result becomes stale. */
    REFUSED;

    /** Whether it concerns a result as a whole, so that there may be no record. */
    public boolean mayLackRecord() {
        return this == UNKNOWN || this == REFUSED || this == NONE;
    }
}
