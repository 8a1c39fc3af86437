package io.kipimo.sdk.caching;

import io.kipimo.core.stale.FreshnessSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Settings of a {@link CachingClient}.
 *
 * @param filter address of the filter of stale keys; empty: cached answers are used until their times to live end
 * @param freshness staleness bound, and number of keys that a session remembers
 * @param keys maps an address to the key of its record or query, as in messages and the filter
 * @param cachedResponses greatest number of responses in the client's own cache; 0: no cache
 * @param timeout time from a request until the whole answer has arrived, above 0; a request's own time-out replaces it
 * @param largestBody greatest number of bytes of an answer, at least 0
 * @param isOfOneUser whether all reads are one user's, so that private answers may be kept
 * @param records descriptions of results whose records are cached at their own addresses, too
 */
public record CachingSettings(
        Optional<URI> filter,
        FreshnessSettings freshness,
        Function<URI, String> keys,
        int cachedResponses,
        Duration timeout,
        long largestBody,
        boolean isOfOneUser,
        List<ResultRecords> records) {
    private static final int CACHED_RESPONSES = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long LARGEST_BODY = 64L << 20;

    /** @throws IllegalArgumentException if a value is out of range */
    public CachingSettings {
        records = List.copyOf(records);
        if (cachedResponses < 0) {
            throw new IllegalArgumentException("cached responses are " + cachedResponses + "; allowed: at least 0");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout is " + timeout + "; allowed: above 0");
        }
        if (largestBody < 0) {
            throw new IllegalArgumentException("largest body is " + largestBody + "; allowed: at least 0");
        }
    }

    /** Default settings with the filter at an address; keys are paths and queries. */
    public static CachingSettings of(URI filter) {
        return new CachingSettings(
                Optional.of(filter),
                FreshnessSettings.DEFAULT,
                CachingSettings::pathAndQuery,
                CACHED_RESPONSES,
                TIMEOUT,
                LARGEST_BODY,
                false,
                List.of());
    }

    /** Uses cached answers until their times to live end. */
    public CachingSettings withoutFilter() {
        return new CachingSettings(
                Optional.empty(), freshness, keys, cachedResponses, timeout, largestBody, isOfOneUser, records);
    }

    /** Replaces the staleness bound. */
    public CachingSettings withFreshness(FreshnessSettings other) {
        return new CachingSettings(filter, other, keys, cachedResponses, timeout, largestBody, isOfOneUser, records);
    }

    /** Replaces the mapping from addresses to keys. */
    public CachingSettings withKeys(Function<URI, String> other) {
        return new CachingSettings(
                filter, freshness, other, cachedResponses, timeout, largestBody, isOfOneUser, records);
    }

    /** Replaces the time within which a whole answer must arrive. */
    public CachingSettings withTimeout(Duration other) {
        return new CachingSettings(filter, freshness, keys, cachedResponses, other, largestBody, isOfOneUser, records);
    }

    /** Replaces the greatest number of bytes of an answer. */
    public CachingSettings withLargestBody(long other) {
        return new CachingSettings(filter, freshness, keys, cachedResponses, timeout, other, isOfOneUser, records);
    }

    /** Keeps private answers, too: all reads are one user's. */
    public CachingSettings forOneUser() {
        return new CachingSettings(filter, freshness, keys, cachedResponses, timeout, largestBody, true, records);
    }

    /** Caches the records of results at their own addresses, too; each call adds a description of results. */
    public CachingSettings withRecords(ResultRecords others) {
        return new CachingSettings(
                filter,
                freshness,
                keys,
                cachedResponses,
                timeout,
                largestBody,
                isOfOneUser,
                Stream.concat(records.stream(), Stream.of(others)).toList());
    }

    /** Returns path and query, escaped as a request sends them, such as {@code /search?q=a%20b}. */
    public static String pathAndQuery(URI address) {
        URI sent = URI.create(address.toASCIIString());
        String path = sent.getRawPath() == null || sent.getRawPath().isEmpty() ? "/" : sent.getRawPath();
        String query = sent.getRawQuery();
        return query == null || query.isEmpty() ? path : path + '?' + query;
    }

    /** Returns the last segment of the path: {@code p-17} for {@code /products/p-17}. */
    public static String lastSegment(URI address) {
        String path = address.getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
