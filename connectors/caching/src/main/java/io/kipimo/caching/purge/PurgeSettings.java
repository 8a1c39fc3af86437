package io.kipimo.caching.purge;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Caches to purge.
 *
 * @param caches addresses without a path; all are purged
 * @param paths of records and queries at the caches
 * @param attempts most attempts for a purge, at least 1
 * @param timeout time-out of one attempt
 */
public record PurgeSettings(CacheKind kind, List<URI> caches, KeyPaths paths, int attempts, Duration timeout) {
    /** @throws IllegalArgumentException if a value is out of range */
    public PurgeSettings {
        caches = List.copyOf(caches);
        caches.forEach(cache -> checkServer("cache", cache));
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts are " + attempts + "; allowed: from 1");
        }
    }

    /**
     * @param what it is, for the message
     * @throws IllegalArgumentException unless it is an address of a server, without a path
     */
    public static void checkServer(String what, URI cache) {
        boolean isHttp = "http".equalsIgnoreCase(cache.getScheme()) || "https".equalsIgnoreCase(cache.getScheme());
        boolean isBare = cache.getRawUserInfo() == null
                && cache.getRawQuery() == null
                && cache.getRawFragment() == null
                && (cache.getRawPath() == null || cache.getRawPath().matches("/?"));
        if (!isHttp || cache.getHost() == null || !isBare || cache.getPort() > 65_535) {
            throw new IllegalArgumentException(what + " is '" + cache + "'; allowed: http://HOST:PORT");
        }
    }
}
