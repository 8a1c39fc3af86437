package io.kipimo.caching.purge;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Caches to purge, and paths of records and queries.
 *
 * @param caches addresses without a path; all are purged
 * @param recordPath path of a record, with {@code {service}}, {@code {table}} and {@code {key}}
 * @param queryPath path of a query's result, with the same
 * @param attempts most attempts for a purge, at least 1
 * @param timeout time-out of one attempt
 */
public record PurgeSettings(
        CacheKind kind,
        List<URI> caches,
        String recordPath,
        String queryPath,
        int attempts,
        Duration timeout) {
    /**
     * @throws IllegalArgumentException if a value is out of range
     */
    public PurgeSettings {
        caches = List.copyOf(caches);
        caches.forEach(cache -> checkServer("cache", cache));
        KeyPaths unused = new KeyPaths(recordPath, queryPath);
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts are " + attempts + "; allowed: from 1");
        }
    }

    /**
     * @param what it is, for the message
     * @throws IllegalArgumentException unless it is an address of a server, without a path
     */
    public static void checkServer(String what, URI cache) {
        boolean isHttp =
                "http".equalsIgnoreCase(cache.getScheme())
                        || "https".equalsIgnoreCase(cache.getScheme());
        boolean isBare =
                cache.getRawUserInfo() == null
                        && cache.getRawQuery() == null
                        && cache.getRawFragment() == null
                        && (cache.getRawPath() == null || cache.getRawPath().matches("/?"));
        if (!isHttp || cache.getHost() == null || !isBare || cache.getPort() > 65_535) {
            throw new IllegalArgumentException(
                    what + " is '" + cache + "'; allowed: http://HOST:PORT");
        }
    }

    /** Path of a key, see {@link KeyPaths#path}. */
    public String path(String service, String table, String key, boolean isQuery) {
        return new KeyPaths(recordPath, queryPath).path(service, table, key, isQuery);
    }
}
