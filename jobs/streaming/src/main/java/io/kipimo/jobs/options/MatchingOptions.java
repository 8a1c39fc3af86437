package io.kipimo.jobs.options;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.operators.invalidation.InvalidationSettings;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.caching.InvalidationMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Options for matching writes against queries, and for notifying caches. */
public final class MatchingOptions {
    private static final Options GROUP = new Options();

    public static final BoundedOption<Integer> COLUMNS = GROUP.integer(
            "invalidation.columns",
            2,
            1,
            128,
            "Parts of the queries; fixed in a savepoint. Use more for more queries; each write goes to every part.");
    public static final BoundedOption<Integer> ROWS = GROUP.integer(
            "invalidation.rows",
            2,
            1,
            128,
            "Parts of the records; fixed in a savepoint. Use more for more writes; each query is in every part. "
                    + "Columns times rows bounds the parallelism of matching.");
    public static final BoundedOption<Duration> REPLAY = GROUP.duration(
            "invalidation.replay",
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            Duration.ofHours(1),
            "How long writes are kept for replay to new queries: longer than the time from a query's evaluation to "
                    + "the arrival of its subscription, and longer than writes are late.");
    public static final BoundedOption<Integer> REPLAY_WRITES = GROUP.integer(
            "invalidation.replay-writes",
            100_000,
            1,
            10_000_000,
            "Most writes kept for replay, in each cell and table.");
    public static final BoundedOption<Integer> SLACK = GROUP.integer(
            "invalidation.slack",
            10,
            1,
            10_000,
            "Records kept beyond the limit of a limited result; they move up when others leave.");
    public static final BoundedOption<InvalidationMode> MODE = GROUP.oneOf(
            "invalidation.mode",
            InvalidationMode.class,
            InvalidationMode.HARD,
            "Whether caches drop stale entries (HARD), or serve them while they revalidate (SOFT).");
    public static final BoundedOption<Duration> SERVE_STALE = GROUP.duration(
            "invalidation.serve-stale",
            Duration.ofSeconds(10),
            Duration.ofMillis(1),
            Duration.ofHours(1),
            "How long caches may serve a stale result after a soft invalidation.");
    public static final BoundedOption<Integer> BUDGET = GROUP.integer(
            "invalidation.budget",
            1_000_000,
            1,
            100_000_000,
            "Most registered queries; a query that must be tested against every write counts as 100. Queries that "
                    + "save the most cache hits for their cost stay, by the ttl job's figures.");

    static {
        GROUP.with(TtlEstimateOptions.FILTER_BITS);
        GROUP.with(TtlEstimateOptions.FILTER_HASHES);
    }

    public static final BoundedOption<Duration> BATCH_DELAY = GROUP.duration(
            "filter.batch-delay",
            Duration.ofMillis(10),
            Duration.ofMillis(1),
            Duration.ofSeconds(1),
            "Longest time that a stale key waits for others, to be sent to Redis together.");

    private MatchingOptions() {}

    /**
     * Values of the options.
     *
     * @param settings settings without the number of partitions, which comes from the broker
     * @param redis where stale keys are marked; empty: nowhere
     * @param filter shape of the filter of stale keys
     */
    public record Matching(
            Optional<RedisSettings> redis, InvalidationSettings settings, FilterShape filter, Duration batchDelay) {
        public InvalidationSettings settings(int partitions) {
            return settings.withPartitions(partitions);
        }
    }

    public static List<BoundedOption<?>> all() {
        return GROUP.all();
    }

    /** Reads the options and reports problems to the reader; empty if there are problems. */
    public static Optional<Matching> read(OptionSet.OptionReader reader) {
        Optional<RedisSettings> redis = RedisOptions.settings(reader);
        Optional<FilterShape> filter = TtlEstimateOptions.filter(reader);
        Duration batchDelay = reader.get(BATCH_DELAY);
        Duration serveStale = reader.get(SERVE_STALE);
        return reader.make(() -> new InvalidationSettings(
                        reader.get(COLUMNS),
                        reader.get(ROWS),
                        reader.get(REPLAY).toMillis(),
                        reader.get(REPLAY_WRITES),
                        reader.get(SLACK),
                        reader.get(MODE) == InvalidationMode.SOFT ? serveStale.toMillis() : 0,
                        reader.get(BUDGET),
                        1))
                .flatMap(settings -> filter.map(shape -> new Matching(redis, settings, shape, batchDelay)));
    }
}
