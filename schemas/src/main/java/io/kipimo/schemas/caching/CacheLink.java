package io.kipimo.schemas.caching;

/** A link between an origin and those who read its answers through caches. */
public enum CacheLink {
    /** Reads by a caching client, through its own cache, the filter and shared caches. */
    CLIENT,
    /** Reads from a shared cache by those who have no filter. */
    SHARED_CACHE,
    /** Removal of stale entries from shared caches. */
    PURGE,
    /** The filter of stale keys. */
    FILTER
}
