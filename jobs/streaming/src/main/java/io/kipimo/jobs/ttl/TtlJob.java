package io.kipimo.jobs.ttl;

import io.kipimo.jobs.Output;
import io.kipimo.jobs.flink.FlushOnDemand;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.RedisOptions;
import io.kipimo.jobs.options.TtlEstimateOptions;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.TopicRecords;
import io.kipimo.operators.ttl.TtlFlow;
import io.kipimo.operators.ttl.TtlUpdate;
import io.kipimo.operators.types.Format;
import io.kipimo.redis.FilterFillFunction;
import io.kipimo.redis.RedisSettings;
import io.kipimo.redis.RedisTtlSink;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.codec.Codecs;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Takes records of reads, writes and invalidations, and emits times to live of records and query results, and caching
 * figures of each table.
 *
 * <pre>
 * reads, writes, invalidations ─┬─> records, queries ─────────────> ttls, Redis
 * cache-uses ───────────────────┴─> tables ──> fill of the filter ─> caching
 * </pre>
 */
public final class TtlJob {
    public static final String NAME = "ttl";

    public static final OptionSet<TtlEstimateOptions.Estimates> OPTIONS =
            new OptionSet<>(NAME, TtlEstimateOptions::read, List.of(TtlEstimateOptions.all(), RedisOptions.all()));

    /** Group of sources that read in step, because the job compares rates of one topic with rates of another. */
    private static final String IN_STEP = "reads-writes-invalidations";

    private TtlJob() {}

    /** Adds the job to {@code env}. */
    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<TtlEstimateOptions.Estimates> options) {
        KafkaSources in =
                new KafkaSources(env, options.common().kafka(), options.common().source());
        TtlFlow flow = TtlFlow.of(
                in.streamInStep(TopicRecords.READS, IN_STEP),
                in.streamInStep(TopicRecords.WRITES, IN_STEP),
                // Marks only advance event time.
                in.streamInStep(TopicRecords.INVALIDATIONS, IN_STEP)
                        .filter(invalidation -> !invalidation.isMark())
                        .uid("invalidations-without-marks")
                        .name("invalidations-without-marks"),
                in.stream(TopicRecords.CACHE_USES),
                options.own().ttls());

        write(flow, options);
        new Output(options.common()).deadLetters(in, List.of());
        FlushOnDemand.of(env);
    }

    private static void write(TtlFlow flow, OptionSet.Valid<TtlEstimateOptions.Estimates> options) {
        Output output = new Output(options.common());
        output.latest(flow.news(), TopicRecords.TTLS, TtlUpdate::estimate, TtlUpdate::isForgotten);
        DataStream<CachingWindow> windows = flow.windows();
        if (options.own().redis().isPresent()) {
            writeToRedis(flow.news(), options.own().redis().get(), options);
            windows = windows.map(
                            new FilterFillFunction(
                                    options.own().redis().get(), options.own().filter()),
                            Format.typeOf(Codecs.CACHING_WINDOW))
                    .uid("filter-fill")
                    .name("filter-fill");
        }
        output.prompt(windows, TopicRecords.CACHING);
    }

    private static void writeToRedis(
            DataStream<TtlUpdate> news, RedisSettings redis, OptionSet.Valid<TtlEstimateOptions.Estimates> options) {
        // Keys in Redis expire by themselves.
        news.filter(update -> !update.isForgotten())
                .uid("redis-estimates")
                .name("redis-estimates")
                .map(TtlUpdate::estimate, Format.typeOf(Codecs.TTL_ESTIMATE))
                .uid("redis-ttls")
                .name("redis-ttls")
                .sinkTo(new RedisTtlSink(redis, options.own().ttls().ttls().forgetAfterMillis()))
                .uid("redis-ttls-sink")
                .name("redis-ttls-sink");
    }
}
