package io.kipimo.jobs.options;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.operators.invalidation.InvalidationSettings;
import io.kipimo.schemas.caching.InvalidationMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How writes are matched against queries, and what caches are told. */
public final class MatchingOptions {
    public static final BoundedOption<Integer> COLUMNS =
            Options.integer(
                    "invalidation.columns",
                    2,
                    1,
                    128,
                    "Parts that queries are divided into; a savepoint keeps it. More for more"
                            + " queries; each write goes to every one.");
    public static final BoundedOption<Integer> ROWS =
            Options.integer(
                    "invalidation.rows",
                    2,
                    1,
                    128,
                    "Parts that records are divided into; a savepoint keeps it. More for more"
                            + " writes; each query is in every one. Columns times rows is the most"
                            + " parallelism that matching can use.");
    public static final BoundedOption<Duration> REPLAY =
            Options.duration(
                    "invalidation.replay",
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(1),
                    Duration.ofHours(1),
                    "For how long writes are kept to be replayed for new queries: longer than from"
                            + " a query's evaluation to its subscription's arrival, and than writes"
                            + " are late.");
    public static final BoundedOption<Integer> REPLAY_WRITES =
            Options.integer(
                    "invalidation.replay-writes",
                    100_000,
                    1,
                    10_000_000,
                    "But no more writes than these, in each cell and table.");
    public static final BoundedOption<Integer> SLACK =
            Options.integer(
                    "invalidation.slack",
                    10,
                    1,
                    10_000,
                    "Records after a limited result that are kept, to fill up with when others"
                            + " leave.");
    public static final BoundedOption<InvalidationMode> MODE =
            Options.oneOf(
                    "invalidation.mode",
                    InvalidationMode.class,
                    InvalidationMode.HARD,
                    "Whether caches drop what is stale (HARD), or serve it while they revalidate"
                            + " (SOFT).");
    public static final BoundedOption<Duration> SERVE_STALE =
            Options.duration(
                    "invalidation.serve-stale",
                    Duration.ofSeconds(10),
                    Duration.ofMillis(1),
                    Duration.ofHours(1),
                    "For how long a soft invalidation lets the stale result be served.");
    public static final BoundedOption<Integer> BUDGET =
            Options.integer(
                    "invalidation.budget",
                    1_000_000,
                    1,
                    100_000_000,
                    "Most queries in all; one that must be tested against every write counts as"
                            + " 100. Those stay that save most hits for that, as the ttl job"
                            + " tells.");
    public static final BoundedOption<Duration> BATCH_DELAY =
            Options.duration(
                    "filter.batch-delay",
                    Duration.ofMillis(10),
                    Duration.ofMillis(1),
                    Duration.ofSeconds(1),
                    "The longest that a stale key waits for others before they go to Redis"
                            + " together.");

    private MatchingOptions() {}

    /**
     * What the options say.
     *
     * @param settings without the number of partitions, which the broker knows
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

    /** Reads the options; problems are collected by the reader, and the result then is empty. */
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
            return Optional.of(
                    new Matching(
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
