package io.kipimo.examples.caching;

import java.time.Duration;

/**
 * What is the same in all runs.
 *
 * @param products records
 * @param categories of the products; each has {@link Product#QUERIES_PER_CATEGORY} queries
 * @param clients each with a cache and a session of its own
 * @param operationsPerSecond of all clients
 * @param writeShare of the operations, 0..1
 * @param queryShare of the reads, 0..1
 * @param zipf exponent of the popularity of products and queries
 * @param originDelay until the origin answers, as if it were far away; on top of this machine's own
 *     time
 * @param refreshMillis Delta: how stale a client lets its reads be
 * @param longestTtlMillis that is handed out
 */
record CachingDemoSettings(
        int products,
        int categories,
        int clients,
        double operationsPerSecond,
        double writeShare,
        double queryShare,
        double zipf,
        Duration originDelay,
        long refreshMillis,
        long longestTtlMillis) {
    static final CachingDemoSettings DEFAULT =
            new CachingDemoSettings(
                    1_000, 25, 20, 200, 0.01, 0.5, 0.9, Duration.ofMillis(60), 1_000, 60_000);

    /**
     * Added to a time to live before it is reported: HTTP caches count whole seconds, and from when
     * they got an answer.
     */
    static final long EXPIRY_MARGIN_MILLIS = 2_000;

    /** In which writes of a record are counted; short, as a run is. */
    long rateWindowMillis() {
        return 10_000;
    }

    /** What is not read for so long is estimated anew. */
    long forgetAfterMillis() {
        return 2 * longestTtlMillis;
    }

    long longestExpiryMillis() {
        return longestTtlMillis + EXPIRY_MARGIN_MILLIS;
    }
}
