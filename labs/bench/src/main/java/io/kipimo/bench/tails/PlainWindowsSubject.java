package io.kipimo.bench.tails;

import io.kipimo.bench.machine.FlinkSubject;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.TailScope;
import io.kipimo.core.tails.TailStatistics;
import io.kipimo.core.tails.TailSums;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.kafka.KafkaSinks;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.TopicRecords;
import io.kipimo.operators.tails.ReceivedObservation;
import io.kipimo.operators.tails.TailsSettings;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatCatalogue;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.topics.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/**
 * The same statistics with Flink's own windows, in the obvious way: observations keyed by each level, tumbling and
 * sliding windows, and an aggregate function that merges sketches. It uses the product's code to read, decode, sum and
 * write.
 */
public final class PlainWindowsSubject extends FlinkSubject {
    private static final Duration TUMBLING = Duration.ofSeconds(10);
    private static final Duration SLIDING = Duration.ofMinutes(10);
    private static final Duration SLIDE = Duration.ofMinutes(1);
    private static final List<Long> OBJECTIVES =
            List.of(10_000L, 25_000L, 50_000L, 100_000L, 250_000L, 500_000L, 1_000_000L);

    public PlainWindowsSubject() throws Exception {}

    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        Configuration settings = settings(request);
        OptionSet.Valid<TailsSettings> options = TailsJob.OPTIONS.read(settings);
        return runUntilWritten(request, Topic.TAILS, settings, env -> define(env, options));
    }

    private static void define(StreamExecutionEnvironment env, OptionSet.Valid<TailsSettings> options) {
        DataStream<ReceivedObservation> observations =
                new KafkaSources(env, options.common().kafka(), options.common().source()).serverObservations();
        List<DataStream<TailWindow>> all = new ArrayList<>();
        for (TailLevel level : List.of(TailLevel.SERVER, TailLevel.COMPONENT, TailLevel.TIER, TailLevel.SERVICE)) {
            KeyedStream<ReceivedObservation, String> keyed =
                    observations.keyBy(o -> scope(o, level).key(), Types.STRING);
            all.add(windows(keyed, TumblingEventTimeWindows.of(TUMBLING), TailWindowKind.TUMBLING, level));
            all.add(windows(keyed, SlidingEventTimeWindows.of(SLIDING, SLIDE), TailWindowKind.SLIDING, level));
        }
        all.stream()
                .reduce((a, b) -> a.union(b))
                .orElseThrow()
                .sinkTo(KafkaSinks.of(options.common().kafka(), TopicRecords.TAILS))
                .uid("tails-sink");
    }

    private static TailScope scope(ReceivedObservation received, TailLevel level) {
        TailScope scope = TailScope.of(received.observation());
        while (scope.level() != level) {
            scope = scope.whole().orElseThrow();
        }
        return scope;
    }

    private static DataStream<TailWindow> windows(
            KeyedStream<ReceivedObservation, String> keyed,
            WindowAssigner<Object, TimeWindow> assigner,
            TailWindowKind kind,
            TailLevel level) {
        TypeInformation<TailSums> sums = Formats.SUMS.typeInfo();
        return keyed.window(assigner)
                .aggregate(
                        new TailSumsMerge(),
                        new TailWindowFunction(kind),
                        sums,
                        sums,
                        Format.typeOf(Codecs.TAIL_WINDOW))
                .uid(kind + "-" + level);
    }

    private static final class TailSumsMerge implements AggregateFunction<ReceivedObservation, TailSums, TailSums> {
        private static final long serialVersionUID = 1L;

        @Override
        public TailSums createAccumulator() {
            return new TailSums();
        }

        @Override
        public TailSums add(ReceivedObservation value, TailSums sums) {
            sums.addTime(new TailSums(
                    value.observation().counts(),
                    LatencySketch.fromBytes(value.observation().latencies())));
            return sums;
        }

        @Override
        public TailSums getResult(TailSums sums) {
            return sums;
        }

        @Override
        public TailSums merge(TailSums a, TailSums b) {
            a.addServers(b);
            return a;
        }
    }

    private static final class TailWindowFunction
            extends ProcessWindowFunction<TailSums, TailWindow, String, TimeWindow> {
        private static final long serialVersionUID = 1L;

        private final TailWindowKind kind;

        TailWindowFunction(TailWindowKind kind) {
            this.kind = kind;
        }

        @Override
        public void process(String key, Context context, Iterable<TailSums> sums, Collector<TailWindow> out) {
            out.collect(TailStatistics.window(
                    TailScope.ofKey(key),
                    kind,
                    context.window().getStart(),
                    context.window().getEnd(),
                    sums.iterator().next(),
                    OBJECTIVES));
        }
    }

    /** Format of the sums that are kept. */
    public static final class Formats implements FormatCatalogue {
        private static final Format<TailSums> SUMS = Format.of(
                "bench-tail-sums",
                1,
                TailSums.class,
                TailSums::write,
                (in, version) -> TailSums.read(in),
                TailSums::copy);

        @Override
        public List<Format<?>> formats() {
            return List.of(SUMS);
        }
    }
}
