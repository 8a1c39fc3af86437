package io.kipimo.schemas.caching;

/** What a cache does with a result that became stale. */
public enum InvalidationMode {
    /** Drops it; the next read waits for the origin. */
    HARD,
    /**
     * Marks it stale, and serves it while one request revalidates it, so that one write does not
     * turn a whole cache into misses.
     */
    SOFT
}
