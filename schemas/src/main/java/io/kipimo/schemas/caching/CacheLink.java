package io.kipimo.schemas.caching;

/** A link between an origin and the clients that read its answers through caches. */
public enum CacheLink {
    /** Reads by a caching client, through its own cache, the filter and shared caches. */
    CLIENT,
    /** Reads from a shared cache by clients without the filter of stale keys. */
    SHARED_CACHE,
    /** Removal of stale entries from shared caches. */
    PURGE,
    /** The filter of stale keys. */
    FILTER
}
