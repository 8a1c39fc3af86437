package io.kipimo.jobs.options;

import io.kipimo.core.invalidation.AccessCosts;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.operators.ttl.TtlFlowSettings;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.caching.CacheRead;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Options for estimating times to live, and for the shape of the filter of stale keys. */
public final class TtlEstimateOptions {
    private static final Options GROUP = new Options();

    private static final Duration LONGEST = Duration.ofMillis(CacheRead.LONGEST_TTL_MILLIS);

    public static final BoundedOption<Double> CHANGE_PROBABILITY = GROUP.number(
            "ttl.change-probability",
            0.5,
            0.001,
            0.999,
            "Share of first times to live, which come from write rates, that may see a write before they end.");
    public static final BoundedOption<Double> SMOOTHING = GROUP.number(
            "ttl.smoothing", 0.7, 0, 1, "Weight of the old estimate when an invalidation gives a new one.");
    public static final BoundedOption<Duration> SHORTEST =
            GROUP.duration("ttl.shortest", Duration.ofSeconds(1), Duration.ZERO, LONGEST, "Shortest time to live.");
    public static final BoundedOption<Duration> LONGEST_TTL =
            GROUP.duration("ttl.longest", Duration.ofHours(1), Duration.ofMillis(1), LONGEST, "Longest time to live.");
    public static final BoundedOption<Duration> FORGET_AFTER = GROUP.duration(
            "ttl.forget-after",
            Duration.ofHours(2),
            Duration.ofSeconds(1),
            LONGEST,
            "Time without reads after which a record or query is forgotten; at least ttl.longest.");
    public static final BoundedOption<Duration> WRITE_WINDOW = GROUP.duration(
            "ttl.write-window",
            Duration.ofMinutes(10),
            Duration.ofSeconds(1),
            Duration.ofDays(7),
            "Time over which writes of a record are counted.");
    public static final BoundedOption<Double> SAMPLED_WRITES = GROUP.number(
            "ttl.sampled-writes", 1, 0.0001, 1, "Share of the writes that reach the topic, if writers sample them.");
    public static final BoundedOption<Double> LOSS_BUDGET = GROUP.number(
            "ttl.loss-budget",
            0,
            0,
            1,
            "Average quality that a read may lose by being stale; times to live are as "
                    + "long as it allows. 0: none, every change counts.");
    public static final BoundedOption<String> SIMILARITY = GROUP.text(
            "ttl.similarity",
            "",
            "\\S{0,64}",
            "a similarity such as tpr@20 or rbo@0.9, or nothing",
            "Compares a query's results before and after a change, to learn the cost of "
                    + "the change; empty: no comparison.");
    public static final BoundedOption<Integer> COMPARED_RECORDS = GROUP.integer(
            "ttl.compared-records",
            100,
            1,
            10_000,
            "Most records of a result, best first, that are compared; each takes 8 bytes of state for every query.");
    public static final BoundedOption<Duration> WINDOW = GROUP.duration(
            "caching.window",
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofHours(1),
            "Window of each table's caching figures.");
    public static final BoundedOption<Duration> CACHE_ROUND_TRIP = GROUP.duration(
            "ttl.cache-round-trip",
            Duration.ofMillis(4),
            Duration.ofMillis(1),
            Duration.ofSeconds(10),
            "Round trip from a client to the nearest cache. This and the next three options decide whether a query's "
                    + "result is cached as ids or as objects.");
    public static final BoundedOption<Duration> ORIGIN_ROUND_TRIP = GROUP.duration(
            "ttl.origin-round-trip",
            Duration.ofMillis(150),
            Duration.ofMillis(1),
            Duration.ofSeconds(10),
            "Round trip from a client to the origin; at least ttl.cache-round-trip.");
    public static final BoundedOption<Integer> PARALLEL_FETCHES = GROUP.integer(
            "ttl.parallel-fetches",
            6,
            1,
            10_000,
            "Records that a client fetches in parallel; a browser fetches six with HTTP/1.1.");
    public static final BoundedOption<Duration> INVALIDATION_COST = GROUP.duration(
            "ttl.invalidation-cost",
            Duration.ofMillis(100),
            Duration.ZERO,
            Duration.ofMinutes(1),
            "Cost of invalidating a query beyond the round trip, as a client's time: "
                    + "evaluating it again, purging caches, sending the whole result.");
    public static final BoundedOption<Integer> FILTER_BITS = GROUP.integer(
            "filter.bits",
            FilterShape.ONE_ROUND_TRIP.bits(),
            8,
            1 << 30,
            "Bits of a table's filter of stale keys, a multiple of 8; all users of the filter need the same value.");
    public static final BoundedOption<Integer> FILTER_HASHES = GROUP.integer(
            "filter.hashes",
            FilterShape.ONE_ROUND_TRIP.hashes(),
            1,
            32,
            "Hashes for each key; all users of the filter need the same value.");

    private TtlEstimateOptions() {}

    public static List<BoundedOption<?>> all() {
        return GROUP.all();
    }

    /**
     * Values of the options.
     *
     * @param redis Redis that receives times to live and filters; empty: none
     */
    public record Estimates(TtlFlowSettings ttls, FilterShape filter, Optional<RedisSettings> redis) {}

    /** Reads the options and reports problems to the reader; empty if there are problems. */
    public static Optional<Estimates> read(OptionSet.OptionReader reader) {
        String similarity = reader.get(SIMILARITY);
        int comparedRecords = reader.get(COMPARED_RECORDS);
        long writeWindow = reader.get(WRITE_WINDOW).toMillis();
        double sampled = reader.get(SAMPLED_WRITES);
        long window = reader.get(WINDOW).toMillis();
        double lossBudget = Math.max(0, Math.min(1, reader.get(LOSS_BUDGET)));
        Optional<TtlSettings> ttls = reader.make(() -> new TtlSettings(
                reader.get(CHANGE_PROBABILITY),
                reader.get(SMOOTHING),
                reader.get(SHORTEST).toMillis(),
                reader.get(LONGEST_TTL).toMillis(),
                reader.get(FORGET_AFTER).toMillis(),
                lossBudget));
        Optional<AccessCosts> costs = reader.make(() -> new AccessCosts(
                reader.get(CACHE_ROUND_TRIP).toMillis(),
                reader.get(ORIGIN_ROUND_TRIP).toMillis(),
                reader.get(PARALLEL_FETCHES),
                reader.get(INVALIDATION_COST).toMillis()));
        Optional<FilterShape> filter = filter(reader);
        Optional<RedisSettings> redis = RedisOptions.settings(reader);
        // Times that do not fit must not hide that a budget lacks its similarity.
        TtlSettings known = ttls.orElse(new TtlSettings(0.5, 0.7, 0, 1, 1, lossBudget));
        return costs.flatMap(c -> reader.make(() -> new TtlFlowSettings(
                        known,
                        writeWindow,
                        sampled,
                        similarity,
                        similarity.isEmpty() ? 0 : comparedRecords,
                        window,
                        c)))
                .flatMap(flow -> filter.map(shape -> new Estimates(flow, shape, redis)));
    }

    /** Reads the shape of the filter of stale keys and reports problems to the reader; empty if there are problems. */
    static Optional<FilterShape> filter(OptionSet.OptionReader reader) {
        int bits = reader.get(FILTER_BITS);
        int hashes = reader.get(FILTER_HASHES);
        return reader.make(() -> new FilterShape(bits, hashes));
    }
}
