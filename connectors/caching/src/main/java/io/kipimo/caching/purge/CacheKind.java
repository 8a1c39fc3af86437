package io.kipimo.caching.purge;

/** How to remove stale content from a cache, and what shows that it was removed. */
public enum CacheKind {
    /**
     * {@code PURGE} with the address, and header {@code Kipimo-Purge: soft} for a soft purge. The cache's configuration
     * must allow it; see docs/caching.md. Varnish removes all variants. It is done if Varnish itself answers 2xx, not
     * the origin behind it.
     */
    VARNISH,
    /**
     * A {@code GET} with {@code Kipimo-Purge}, at which nginx drops the entry if its configuration says how
     * (docs/caching.md). Then, or without such a configuration, the purger sends a {@code GET} past the cache
     * ({@code proxy_cache_bypass}), which renews the entry if the origin's answer may be stored, and then a plain
     * {@code GET}. It is done if the last one shows that no older answer stays. Hard and soft are the same.
     */
    NGINX
}
