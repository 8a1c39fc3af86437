package io.kipimo.labs.demos.caching;

import io.kipimo.core.stale.StaleKeys;
import io.kipimo.schemas.field.WithBuilder;
import java.time.Duration;

/**
 * Settings that are the same in all runs.
 *
 * @param products number of records
 * @param categories number of categories of the products; each has {@link Product#QUERIES_PER_CATEGORY} queries
 * @param clients number of clients, each with its own cache and session
 * @param operationsPerSecond operations of all clients
 * @param writeShare share of writes in the operations, 0..1
 * @param queryShare share of queries in the reads, 0..1
 * @param zipf exponent of the popularity of products and queries
 * @param originDelay added to the origin's response time, to simulate a distant origin
 * @param refreshMillis Delta: greatest age of the filter that a client accepts
 * @param longestTtlMillis greatest time to live in an answer
 */
@WithBuilder
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
    static final CachingDemoSettings DEFAULT = CachingDemoSettingsBuilder.builder()
            .products(1_000)
            .categories(25)
            .clients(20)
            .operationsPerSecond(200)
            .writeShare(0.01)
            .queryShare(0.5)
            .zipf(0.9)
            .originDelay(Duration.ofMillis(60))
            .refreshMillis(1_000)
            .longestTtlMillis(60_000)
            .build();

    /** Window in milliseconds in which writes of a record are counted. It is short, because runs are short. */
    long rateWindowMillis() {
        return 10_000;
    }

    /** Time in milliseconds after which a key that is not read is forgotten. */
    long forgetAfterMillis() {
        return 2 * longestTtlMillis;
    }

    long longestExpiryMillis() {
        return longestTtlMillis + StaleKeys.EXPIRY_SLACK_MILLIS;
    }
}
