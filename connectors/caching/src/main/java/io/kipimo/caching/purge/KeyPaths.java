package io.kipimo.caching.purge;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Paths of records and queries at a cache or an origin.
 *
 * @param recordPath path of a record, with {@code {service}}, {@code {table}} and {@code {key}}
 * @param queryPath path of a query's result, with the same placeholders
 */
public record KeyPaths(String recordPath, String queryPath) {
    /** @throws IllegalArgumentException if a path is invalid, or lacks {@code {key}} */
    public KeyPaths {
        for (String path : List.of(recordPath, queryPath)) {
            if (!path.contains("{key}")) {
                throw new IllegalArgumentException(
                        "path is '" + path + "'; allowed: with {key}, and maybe {service}, {table}");
            }
            String unused = PurgeTarget.of(path);
        }
    }

    /**
     * Returns the path of a key. A key that begins with a slash is its own path. The result may be no valid path, as
     * keys are data.
     *
     * @param isQuery whether the key is of a query rather than of a record
     */
    String path(String service, String table, String key, boolean isQuery) {
        if (key.startsWith("/")) {
            return key;
        }
        return (isQuery ? queryPath : recordPath)
                .replace("{service}", encoded(service))
                .replace("{table}", encoded(table))
                .replace("{key}", encoded(key));
    }

    /**
     * Address of a key at a server.
     *
     * @throws IllegalArgumentException if the key gives no valid path; the message says why
     */
    public URI address(URI server, String service, String table, String key, boolean isQuery) {
        return PurgeTarget.at(server, PurgeTarget.of(path(service, table, key, isQuery)));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
