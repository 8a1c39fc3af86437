package io.kipimo.caching.purge;

/** Kind of a cache. It determines how stale content is removed from the cache, and what shows that it was removed. */
public enum CacheKind {
    /**
     * Varnish. The purger sends a {@code PURGE} with the address, and with header {@code Kipimo-Purge: soft} for a soft
     * purge. The cache's configuration must allow it; see docs/caching.md. Varnish removes all variants. The purge
     * counts as done if Varnish itself answers 2xx, not the origin behind it.
     */
    VARNISH,
    /**
     * nginx. The purger sends a {@code GET} with {@code Kipimo-Purge}, at which nginx drops the entry if its
     * configuration says how (docs/caching.md). Then, or without such a configuration, the purger sends a {@code GET}
     * past the cache ({@code proxy_cache_bypass}), which renews the entry if the origin's answer may be stored, and
     * then a plain {@code GET}. The purge counts as done if the last answer shows that no older answer stays. Hard and
     * soft purges are the same.
     */
    NGINX
}
