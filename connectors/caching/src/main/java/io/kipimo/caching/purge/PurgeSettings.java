package io.kipimo.caching.purge;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
        caches.forEach(PurgeSettings::checkCache);
        for (String path : List.of(recordPath, queryPath)) {
            if (!path.contains("{key}")) {
                throw new IllegalArgumentException(
                        "path is '"
                                + path
                                + "'; allowed: with {key}, and maybe {service}, {table}");
            }
            String unused = PurgeTarget.of(path);
        }
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts are " + attempts + "; allowed: from 1");
        }
    }

    private static void checkCache(URI cache) {
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
                    "cache is '" + cache + "'; allowed: http://HOST:PORT");
        }
    }

    /**
     * Path of a key; a key that begins with a slash is a path already. {@link CachePurger} refuses
     * what is no path.
     *
     * @param isQuery whether the key is of a query rather than of a record
     */
    public String path(String service, String table, String key, boolean isQuery) {
        if (key.startsWith("/")) {
            return key;
        }
        return (isQuery ? queryPath : recordPath)
                .replace("{service}", encoded(service))
                .replace("{table}", encoded(table))
                .replace("{key}", encoded(key));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
