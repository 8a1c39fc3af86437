package io.kipimo.jobs.invalidation;

import io.kipimo.jobs.Output;
import io.kipimo.jobs.flink.FlushOnDemand;
import io.kipimo.jobs.options.MatchingOptions;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.RedisOptions;
import io.kipimo.kafka.KafkaNotificationLog;
import io.kipimo.kafka.KafkaSinks;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.operators.invalidation.InvalidationFlow;
import io.kipimo.operators.invalidation.Notification;
import io.kipimo.operators.types.Format;
import io.kipimo.redis.RedisInvalidationSink;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Reads after-images of records and registered queries, and writes notifications of cached records and results that
 * became stale.
 *
 * <pre>
 * writes ─────────┬─> matching ─> results ─┬─> numbered ─> invalidations
 * subscriptions ──┤                        └─> Redis (stale keys)
 * ttls ───────────┘
 * </pre>
 */
public final class InvalidationJob {
    public static final String NAME = "invalidation";

    public static final OptionSet<MatchingOptions.Matching> OPTIONS =
            new OptionSet<>(NAME, MatchingOptions::read, List.of(RedisOptions.all(), MatchingOptions.all()));

    private InvalidationJob() {}

    /** Adds the job to {@code env}, for the number of partitions of the topic of notifications. */
    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<MatchingOptions.Matching> options) {
        define(env, options, TopicAdmin.partitions(options.common().kafka(), Topic.INVALIDATIONS));
    }

    /**
     * Adds the job to {@code env}.
     *
     * @param partitions number of partitions of the topic of notifications
     */
    static void define(
            StreamExecutionEnvironment env, OptionSet.Valid<MatchingOptions.Matching> options, int partitions) {
        KafkaSources in =
                new KafkaSources(env, options.common().kafka(), options.common().source());
        InvalidationFlow invalidation = InvalidationFlow.of(
                in.recordWrites(),
                in.subscriptions(),
                in.queryWorths(),
                new KafkaNotificationLog(options.common().kafka()),
                options.own().settings(partitions));

        Output.to(
                KafkaSinks.notifications(options.common().kafka()), "invalidations-sink", invalidation.notifications());
        // All changes, even those in the log: a failover may have kept them from Redis.
        options.own().redis().ifPresent(redis -> invalidation
                .changes()
                .map(Notification::invalidation)
                .returns(Format.typeOf(Codecs.INVALIDATION))
                .uid("stale-keys")
                .name("stale-keys")
                .sinkTo(new RedisInvalidationSink(
                        redis, options.own().filter(), options.own().batchDelay()))
                .uid("redis-stale-keys-sink")
                .name("redis-stale-keys-sink"));
        new Output(options.common()).deadLetters(in, List.of());
        FlushOnDemand.of(env);
    }
}
