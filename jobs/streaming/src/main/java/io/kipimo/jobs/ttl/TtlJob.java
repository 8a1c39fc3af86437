package io.kipimo.jobs.ttl;

import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.Output;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.RedisOptions;
import io.kipimo.jobs.options.TtlEstimateOptions;
import io.kipimo.kafka.EventTime;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.SourceSettings;
import io.kipimo.operators.ttl.TtlFlow;
import io.kipimo.operators.ttl.TtlUpdate;
import io.kipimo.operators.types.Format;
import io.kipimo.redis.FilterFillFunction;
import io.kipimo.redis.RedisSettings;
import io.kipimo.redis.RedisTtlSink;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Reads, writes and invalidations in; times to live of records and query results, and caching figures of each table
 * out.
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

    /** Group of sources that read in step, since rates of one topic are compared with those of another. */
    private static final String IN_STEP = "reads-writes-invalidations";

    private TtlJob() {}

    /** Adds the job to {@code env}. */
    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<TtlEstimateOptions.Estimates> options) {
        KafkaSettings kafka = options.common().kafka();
        SourceSettings source = options.common().source();
        SingleOutputStreamOperator<CacheRead> reads = inStep(
                env,
                options,
                Topic.READS,
                Codecs.CACHE_READ,
                EventTime.by(CacheRead::readMillis, CacheRead::service),
                "reads");
        SingleOutputStreamOperator<RecordWrite> writes = inStep(
                env,
                options,
                Topic.WRITES,
                Codecs.RECORD_WRITE,
                EventTime.by(RecordWrite::writtenMillis, RecordWrite::service),
                "writes");
        SingleOutputStreamOperator<Invalidation> invalidations = inStep(
                env,
                options,
                Topic.INVALIDATIONS,
                Codecs.INVALIDATION,
                EventTime.by(Invalidation::writtenMillis, Invalidation::service),
                "invalidations");
        SingleOutputStreamOperator<CacheUse> uses = KafkaSources.stream(
                env,
                kafka,
                Topic.CACHE_USES,
                Codecs.CACHE_USE,
                EventTime.by(CacheUse::endMillis, use -> use.service() + '/' + use.reporter()),
                source,
                "cache-uses");
        TtlFlow flow = TtlFlow.of(
                reads,
                writes,
                // Marks only advance event time.
                invalidations
                        .filter(invalidation -> !invalidation.isMark())
                        .uid("invalidations-without-marks")
                        .name("invalidations-without-marks"),
                uses,
                options.own().ttls());

        write(flow, options);
        new Output(options.common()).deadLetters(List.of(reads, writes, invalidations, uses), List.of());
        JobEnvironment.flushOnDemand(env);
    }

    private static void write(TtlFlow flow, OptionSet.Valid<TtlEstimateOptions.Estimates> options) {
        Output output = new Output(options.common());
        output.latest(
                flow.news(),
                Topic.TTLS,
                Codecs.TTL_ESTIMATE,
                news -> news.estimate().scope(),
                news -> news.estimate().estimatedMillis(),
                news -> news.isForgotten() ? null : news.estimate());
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
        output.prompt(windows, Topic.CACHING, Codecs.CACHING_WINDOW, CachingWindow::scope, CachingWindow::endMillis);
    }

    private static <T> SingleOutputStreamOperator<T> inStep(
            StreamExecutionEnvironment env,
            OptionSet.Valid<TtlEstimateOptions.Estimates> options,
            Topic topic,
            Codec<T> codec,
            EventTime<T> eventTime,
            String name) {
        return KafkaSources.streamInStep(
                env,
                options.common().kafka(),
                topic,
                codec,
                eventTime,
                options.common().source(),
                name,
                IN_STEP);
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
