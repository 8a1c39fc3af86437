package io.kipimo.jobs.options;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.operators.invalidation.InvalidationSettings;
import io.kipimo.schemas.caching.InvalidationMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Options of matching writes against queries, and of notifying caches. */
public final class MatchingOptions {
    public static final BoundedOption<Integer> COLUMNS = Options.integer(
            "invalidation.columns",
            2,
            1,
            128,
            "Parts of the queries; fixed in a savepoint. Use more for more queries; each "
                    + "write goes to every part.");
    public static final BoundedOption<Integer> ROWS = Options.integer(
            "invalidation.rows",
            2,
            1,
            128,
            "Parts of the records; fixed in a savepoint. Use more for more writes; each "
                    + "query is in every part. Columns times rows bounds the parallelism "
                    + "of matching.");
    public static final BoundedOption<Duration> REPLAY = Options.duration(
            "invalidation.replay",
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            Duration.ofHours(1),
            "How long writes are kept for replay to new queries: longer than the time "
                    + "from a query's evaluation to the arrival of its subscription, and "
                    + "longer than writes are late.");
    public static final BoundedOption<Integer> REPLAY_WRITES = Options.integer(
            "invalidation.replay-writes",
            100_000,
            1,
            10_000_000,
            "Most writes kept for replay, in each cell and table.");
    public static final BoundedOption<Integer> SLACK = Options.integer(
            "invalidation.slack",
            10,
            1,
            10_000,
            "Records kept beyond the limit of a limited result; they move up when others " + "leave.");
    public static final BoundedOption<InvalidationMode> MODE = Options.oneOf(
            "invalidation.mode",
            InvalidationMode.class,
            InvalidationMode.HARD,
            "Whether caches drop stale entries (HARD), or serve them while they " + "revalidate (SOFT).");
    public static final BoundedOption<Duration> SERVE_STALE = Options.duration(
            "invalidation.serve-stale",
            Duration.ofSeconds(10),
            Duration.ofMillis(1),
            Duration.ofHours(1),
            "How long caches may serve a stale result after a soft invalidation.");
    public static final BoundedOption<Integer> BUDGET = Options.integer(
            "invalidation.budget",
            1_000_000,
            1,
            100_000_000,
            "Most registered queries; a query that must be tested against every write "
                    + "counts as 100. Queries that save the most cache hits for their "
                    + "cost stay, by the ttl job's figures.");
    public static final BoundedOption<Duration> BATCH_DELAY = Options.duration(
            "filter.batch-delay",
            Duration.ofMillis(10),
            Duration.ofMillis(1),
            Duration.ofSeconds(1),
            "Longest time that a stale key waits for others, to be sent to Redis " + "together.");

    private MatchingOptions() {}

    /**
     * Values of the options.
     *
     * @param settings without the number of partitions, which comes from the broker
     * @param filter of stale keys
     */
    public record Matching(InvalidationSettings settings, FilterShape filter, Duration batchDelay) {
        public InvalidationSettings settings(int partitions) {
            return settings.withPartitions(partitions);
        }
    }

    public static List<BoundedOption<?>> all() {
        return List.of(
                COLUMNS,
                ROWS,
                REPLAY,
                REPLAY_WRITES,
                SLACK,
                MODE,
                SERVE_STALE,
                BUDGET,
                TtlEstimateOptions.FILTER_BITS,
                TtlEstimateOptions.FILTER_HASHES,
                BATCH_DELAY);
    }

    /** Reads the options and reports problems to the reader; empty if there are any. */
    public static Optional<Matching> read(OptionSet.Reader reader) {
        int columns = reader.get(COLUMNS);
        int rows = reader.get(ROWS);
        Duration replay = reader.get(REPLAY);
        int replayWrites = reader.get(REPLAY_WRITES);
        int slack = reader.get(SLACK);
        InvalidationMode mode = reader.get(MODE);
        Duration serveStale = reader.get(SERVE_STALE);
        int budget = reader.get(BUDGET);
        int bits = reader.get(TtlEstimateOptions.FILTER_BITS);
        int hashes = reader.get(TtlEstimateOptions.FILTER_HASHES);
        Duration batchDelay = reader.get(BATCH_DELAY);
        try {
            return Optional.of(new Matching(
                    new InvalidationSettings(
                            columns,
                            rows,
                            replay.toMillis(),
                            replayWrites,
                            slack,
                            mode == InvalidationMode.SOFT ? serveStale.toMillis() : 0,
                            budget,
                            1),
                    new FilterShape(bits, hashes),
                    batchDelay));
        } catch (IllegalArgumentException e) {
            reader.problem(e.getMessage());
            return Optional.empty();
        }
    }
}
