package io.kipimo.caching.purge;

/** How stale content is removed from a cache. */
public enum CacheKind {
    /**
     * {@code PURGE} with the address, and header {@code Kipimo-Purge: soft} for a soft purge. The
     * cache's configuration must allow it; see docs/caching.md.
     */
    VARNISH,
    /**
     * A {@code GET} that bypasses the cache ({@code proxy_cache_bypass}) and makes it store the
     * origin's current answer, since nginx has no purge. Hard and soft are the same: the old answer
     * is served until the new one arrives.
     */
    NGINX
}
