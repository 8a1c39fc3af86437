package io.kipimo.sdk.caching;

import io.kipimo.core.stale.FreshnessSettings;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * How a {@link CachingClient} reads.
 *
 * @param filter where the stale keys' filter is served; empty: caches are trusted for their times
 *     to live
 * @param freshness how stale a read may be, and how many keys a session remembers
 * @param keys the key of the record or query at an address, as in the messages and the filter
 * @param cachedResponses most that the client itself keeps; 0: none
 * @param timeout of one request
 */
public record CachingSettings(
        Optional<URI> filter,
        FreshnessSettings freshness,
        Function<URI, String> keys,
        int cachedResponses,
        Duration timeout) {
    private static final int CACHED_RESPONSES = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /**
     * @throws IllegalArgumentException if a value is out of range
     */
    public CachingSettings {
        if (cachedResponses < 0) {
            throw new IllegalArgumentException(
                    "cached responses are " + cachedResponses + "; allowed: at least 0");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout is " + timeout + "; allowed: above 0");
        }
    }

    /** With the filter at an address, keys being the last segments of paths. */
    public static CachingSettings of(URI filter) {
        return new CachingSettings(
                Optional.of(filter),
                FreshnessSettings.DEFAULT,
                CachingSettings::lastSegment,
                CACHED_RESPONSES,
                TIMEOUT);
    }

    public CachingSettings withoutFilter() {
        return new CachingSettings(Optional.empty(), freshness, keys, cachedResponses, timeout);
    }

    public CachingSettings withFreshness(FreshnessSettings other) {
        return new CachingSettings(filter, other, keys, cachedResponses, timeout);
    }

    public CachingSettings withKeys(Function<URI, String> other) {
        return new CachingSettings(filter, freshness, other, cachedResponses, timeout);
    }

    /** {@code /products/p-17} has the key {@code p-17}. */
    public static String lastSegment(URI address) {
        String path = address.getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
