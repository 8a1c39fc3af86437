package io.kipimo.simulator.caching;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;

/**
 * A population of clients and what they read.
 *
 * @param records number of records that can be read and written one by one
 * @param queries number of queries that can be read; each has the same number of records in its result
 * @param recordsPerQuery number of records in a result
 * @param clients number of clients, each with a cache and a session
 * @param connections number of connections that a client uses at once
 * @param thinkMillis mean time between the end of an operation and the next of its connection
 * @param writeShare share of the operations that write, 0..1
 * @param queryShare share of the reads that read queries, 0..1
 * @param zipf exponent of the popularity of records and of queries
 * @param mode which caches exist and how they are kept fresh
 * @param sharedCacheMillis time from a client to the shared cache, one way
 * @param originMillis time from the shared cache to the origin, one way
 * @param purgeMillis mean time from a change to its purge from the shared cache
 * @param lostPurgeShare share of the purges that are lost, 0..1
 * @param slowShare share of the origin's answers that travel 100 times as long, 0..1
 * @param evaluationTimes whether answers say when they were evaluated, and the filter says since when keys are stale,
 *     so that shared caches may answer for stale keys
 * @param sharedTtlMillis shortest time to live in the shared cache ({@code s-maxage}), at most the longest
 * @param detectionMillis time from a write until the changes of queries are known
 * @param filter shape of the filter of stale keys
 * @param filterKeptMillis time for which an answer with the filter is used again, as by the filter server
 * @param linkMegabits speed of a client's link, megabits a second, which adds to the time of a filter's transfer; 0: no
 *     time is added
 * @param recordsOfResults whether a client also caches the records of a query's result one by one
 */
@WithBuilder
public record CachingSpec(
        @Range(least = 1, most = 10_000_000) int records,
        @Range(least = 1, most = 1_000_000) int queries,
        @Range(least = 1, most = 1_000) int recordsPerQuery,
        @Range(least = 1, most = 10_000) int clients,
        @Range(least = 1, most = 1_000) int connections,
        @Range(least = 1e-3, most = Range.HOUR_MILLIS) double thinkMillis,
        @Range(most = 0.99) double writeShare,
        @Range(most = 1) double queryShare,
        @Range(most = 5) double zipf,
        Mode mode,
        FreshnessSettings freshness,
        TtlSettings ttls,
        FilterShape filter,
        @Range(most = Range.HOUR_MILLIS) long filterKeptMillis,
        @Range(most = 1e6) double linkMegabits,
        @Range(most = Range.HOUR_MILLIS) double sharedCacheMillis,
        @Range(most = Range.HOUR_MILLIS) double originMillis,
        @Range(most = Range.HOUR_MILLIS) double purgeMillis,
        @Range(most = 1) double lostPurgeShare,
        @Range(most = 1) double slowShare,
        boolean evaluationTimes,
        @Range(most = Range.DAY_MILLIS) long sharedTtlMillis,
        @Range(most = Range.HOUR_MILLIS) double detectionMillis,
        boolean recordsOfResults)
        implements CachingSpecBuilder.With {
    /**
     * @throws IllegalArgumentException if the shared cache shall keep answers for longer than the longest time to live,
     *     or a result shall have more records than there are
     */
    public CachingSpec {
        if (recordsPerQuery > records) {
            throw new IllegalArgumentException(
                    "records_per_query is " + recordsPerQuery + "; allowed: at most records, " + records);
        }
        if (sharedTtlMillis > ttls.longestMillis()) {
            throw new IllegalArgumentException("shared_ttl_millis is " + sharedTtlMillis
                    + "; allowed: at most the longest time to live, " + ttls.longestMillis());
        }
    }

    /** Which caches exist, and how they are kept fresh. */
    public enum Mode {
        /** No caches. */
        NO_CACHES(false, false, false, false),
        /** Caches keep entries for their time to live. */
        TTL_ONLY(true, true, false, false),
        /** Only the shared cache exists, and changes are purged from it ("CDN with InvaliDB"). */
        PURGE(false, true, false, true),
        /** Only the clients' caches exist, with the filter ("EBF only"). */
        CLIENT_FILTER(true, false, true, false),
        /** Both caches. Clients revalidate keys that the filter holds. */
        FILTER(true, true, true, false),
        /** Both caches, with purges and the filter. */
        ALL(true, true, true, true);

        private final boolean hasClientCache;
        private final boolean hasSharedCache;
        private final boolean hasFilter;
        private final boolean hasPurges;

        Mode(boolean hasClientCache, boolean hasSharedCache, boolean hasFilter, boolean hasPurges) {
            this.hasClientCache = hasClientCache;
            this.hasSharedCache = hasSharedCache;
            this.hasFilter = hasFilter;
            this.hasPurges = hasPurges;
        }

        boolean hasClientCache() {
            return hasClientCache;
        }

        boolean hasSharedCache() {
            return hasSharedCache;
        }

        boolean hasFilter() {
            return hasFilter;
        }

        boolean hasPurges() {
            return hasPurges;
        }
    }

    /**
     * The clients of Quaestor's simulation (sec. 6.2): 100 clients with 6 connections each, of whose operations 1 % are
     * writes. The way to the shared cache and back takes 4 ms, and the way to the origin and back 145 ms. They use one
     * of the paper's ten tables: 10,000 records and 100 queries. The paper gives neither think times nor bounds of
     * times to live. Here they are 100 ms, and two minutes, since the paper's runs take five or ten.
     */
    public static final CachingSpec PAPER = CachingSpecBuilder.builder()
            .records(10_000)
            .queries(100)
            .recordsPerQuery(10)
            .clients(100)
            .connections(6)
            .thinkMillis(100)
            .writeShare(0.01)
            .queryShare(0.5)
            .zipf(0.7)
            .mode(Mode.ALL)
            .freshness(FreshnessSettings.DEFAULT)
            .ttls(new TtlSettings(0.5, 0.7, 1_000, 120_000, 240_000, 0))
            .filter(FilterShape.ONE_ROUND_TRIP)
            .filterKeptMillis(0)
            .linkMegabits(0)
            .sharedCacheMillis(2)
            .originMillis(70.5)
            .purgeMillis(50)
            .lostPurgeShare(0)
            .slowShare(0)
            .evaluationTimes(false)
            .sharedTtlMillis(0)
            .detectionMillis(20)
            .recordsOfResults(false)
            .build();

    /** Greatest staleness that is promised with the filter: Delta, and for queries the time of detection. */
    public double allowedStaleMillis() {
        return freshness.refreshMillis() + detectionMillis;
    }

    /** Time that this many bytes take on a client's link, milliseconds. */
    double linkMillis(double bytes) {
        return linkMegabits == 0 ? 0 : bytes * Byte.SIZE / linkMegabits / 1e3;
    }

    public CachingSpec withRefreshMillis(long millis) {
        return withFreshness(new FreshnessSettings(millis, freshness.rememberedKeys()));
    }

    /**
     * Returns this specification with the load of Quaestor's measurements (sec. 6.1), whose connections do not wait.
     */
    public CachingSpec withLoad(int numberOfClients, int connectionsEach, double pauseMillis) {
        return withClients(numberOfClients).withConnections(connectionsEach).withThinkMillis(pauseMillis);
    }
}
