package io.kipimo.caching.purge;

/** How a cache is told that it holds something stale. */
public enum CacheKind {
    /**
     * {@code PURGE} with the address; soft with the header {@code Kipimo-Purge: soft}. The
     * configuration has to allow it; see docs/caching.md.
     */
    VARNISH,
    /**
     * A {@code GET} past the cache ({@code proxy_cache_bypass}), after which it holds what the
     * origin says now: nginx has no purge of its own. Hard and soft are the same; until the answer
     * is there the old one is served.
     */
    NGINX
}
