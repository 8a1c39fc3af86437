package io.kipimo.sdk.caching;

import io.kipimo.core.stale.FreshnessSettings;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Settings of a {@link CachingClient}.
 *
 * @param filter address of the filter of stale keys; empty: cached answers are used until their times to live end
 * @param freshness staleness bound, and number of keys that a session remembers
 * @param keys maps an address to the key of its record or query, as in messages and the filter
 * @param cachedResponses most responses in the client's own cache; 0: no cache
 * @param timeout time-out of one request, above 0
 */
public record CachingSettings(
        Optional<URI> filter,
        FreshnessSettings freshness,
        Function<URI, String> keys,
        int cachedResponses,
        Duration timeout) {
    private static final int CACHED_RESPONSES = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** @throws IllegalArgumentException if a value is out of range */
    public CachingSettings {
        if (cachedResponses < 0) {
            throw new IllegalArgumentException("cached responses are " + cachedResponses + "; allowed: at least 0");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout is " + timeout + "; allowed: above 0");
        }
    }

    /** Default settings with the filter at an address; keys are the last segments of paths. */
    public static CachingSettings of(URI filter) {
        return new CachingSettings(
                Optional.of(filter),
                FreshnessSettings.DEFAULT,
                CachingSettings::lastSegment,
                CACHED_RESPONSES,
                TIMEOUT);
    }

    /** Uses cached answers until their times to live end. */
    public CachingSettings withoutFilter() {
        return new CachingSettings(Optional.empty(), freshness, keys, cachedResponses, timeout);
    }

    /** Replaces the staleness bound. */
    public CachingSettings withFreshness(FreshnessSettings other) {
        return new CachingSettings(filter, other, keys, cachedResponses, timeout);
    }

    /** Replaces the mapping from addresses to keys. */
    public CachingSettings withKeys(Function<URI, String> other) {
        return new CachingSettings(filter, freshness, other, cachedResponses, timeout);
    }

    /** {@code /products/p-17} has the key {@code p-17}. */
    public static String lastSegment(URI address) {
        String path = address.getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
