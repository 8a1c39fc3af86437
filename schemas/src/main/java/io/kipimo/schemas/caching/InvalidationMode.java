package io.kipimo.schemas.caching;

/** Treatment of a stale result in a cache. */
public enum InvalidationMode {
    /** The cache drops the result; the next read waits for the origin. */
    HARD,
    /**
     * The cache serves the stale result while one request revalidates it. So one write does not turn a whole cache into
     * misses.
     */
    SOFT
}
