package io.kipimo.console.feed;

import io.kipimo.console.model.ConsoleModel;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A topic that the console reads, with the function that puts its records into the model.
 *
 * @param usefulMillis greatest useful age of a record
 * @param mostPerSecond most records that are used in a second; the rest is skipped
 */
record Feed(Topic topic, FeedReading reading, long usefulMillis, int mostPerSecond) {
    /** Puts one record into the model. */
    interface FeedReading {
        void read(byte[] value, ConsoleModel model, long nowMillis) throws InvalidRecordException;
    }

    static final List<Feed> ALL = List.of(
            of(Topic.POLICIES, (v, m, now) -> m.policy(Codecs.POLICY.decode(v))),
            of(Topic.ADMISSION, (v, m, now) -> m.decision(Codecs.DECISION.decode(v))),
            of(Topic.SAMPLING, (v, m, now) -> m.decision(Codecs.DECISION.decode(v))),
            of(Topic.QUALITY_WINDOWS, (v, m, now) -> m.window(Codecs.QUALITY_WINDOW.decode(v), now)),
            // Only the newest of each variant is shown.
            new Feed(
                    Topic.VARIANT_WINDOWS,
                    (v, m, now) -> m.window(Codecs.QUALITY_WINDOW.decode(v), now),
                    120_000,
                    Integer.MAX_VALUE),
            of(Topic.DEADLINES, (v, m, now) -> m.curve(Codecs.DEADLINE_CURVE.decode(v))),
            of(Topic.ERROR_BUDGETS, (v, m, now) -> m.budget(Codecs.ERROR_BUDGET.decode(v))),
            of(Topic.REPLICATION, (v, m, now) -> m.replication(Codecs.REPLICATION_DECISION.decode(v))),
            of(Topic.COMPLETENESS, (v, m, now) -> m.completeness(Codecs.COMPLETENESS_MODEL.decode(v))),
            of(Topic.FAN_OUT, (v, m, now) -> m.fanOut(Codecs.FAN_OUT_PUBLICATION.decode(v))),
            of(Topic.DEAD_LETTERS, (v, m, now) -> m.deadLetter(Codecs.DEAD_LETTER.decode(v))),
            // Only show whether there are queries.
            new Feed(
                    Topic.OBSERVATIONS,
                    (v, m, now) -> m.observation(Codecs.OBSERVATION.decode(v), now),
                    60_000,
                    Integer.MAX_VALUE),
            // Only the newest of each server is shown.
            new Feed(
                    Topic.TAILS, (v, m, now) -> m.tails(Codecs.TAIL_WINDOW.decode(v), now), 120_000, Integer.MAX_VALUE),
            // Only the newest of each reporter is shown.
            new Feed(
                    Topic.REPLICA_TRUTH,
                    (v, m, now) -> m.replicaTruth(Codecs.REPLICA_TRUTH.decode(v), now),
                    120_000,
                    Integer.MAX_VALUE),
            // Only the newest of each table is shown.
            new Feed(
                    Topic.CACHING,
                    (v, m, now) -> m.caching(Codecs.CACHING_WINDOW.decode(v), now),
                    120_000,
                    Integer.MAX_VALUE),
            // Only the newest of each table and prober is shown.
            new Feed(
                    Topic.CACHE_TRUTH,
                    (v, m, now) -> m.cacheTruth(Codecs.CACHE_TRUTH.decode(v), now),
                    3_600_000,
                    Integer.MAX_VALUE),
            of(Topic.RATINGS, (v, m, now) -> m.rating(Codecs.RATING.decode(v))),
            // For latencies of the last minutes and the worst queries; a sample suffices.
            new Feed(
                    Topic.QUALITY,
                    (v, m, now) -> m.measurement(Codecs.MEASUREMENT.decode(v), now),
                    ConsoleModel.LATENCY_MILLIS,
                    2_000));

    private static Feed of(Topic topic, FeedReading reading) {
        return new Feed(topic, reading, Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** Length of the past that is read of the topic; empty: the topic is read from its beginning. */
    Optional<Duration> lookBack(Duration wanted) {
        // Ratings are few, and hold for months.
        if (topic.cleanup() == Topic.Cleanup.COMPACT || topic == Topic.RATINGS) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis(Math.min(wanted.toMillis(), usefulMillis)));
    }
}
