package io.kipimo.bench.quality;

import io.kipimo.bench.machine.FlinkSubject;
import io.kipimo.bench.peer.PeerQuery;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.side.CpuClock;
import io.kipimo.bench.side.FirstEvent;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.OptionSet.CommonOptions;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.kafka.KafkaSinks;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.TopicRecords;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.topics.Topic;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.co.ProcessJoinFunction;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.util.Collector;

/**
 * The join that Flink's documentation suggests: an interval join pairs answers with partial results, and a session
 * window gathers the pairs of a query. It uses the product's connectors to read, decode and write.
 *
 * <p>The interval join is an inner join: an answer without any partial result has no pair and is never measured. The
 * workload has practically none. A service that sends no partial results of clean queries has many, and its mean
 * quality would come out too low.
 */
public final class IntervalJoinSubject extends FlinkSubject {
    /** Gap that ends a session, longer than any pause between two results of one query. */
    private static final Duration SESSION_GAP = Duration.ofSeconds(2);

    public IntervalJoinSubject() throws Exception {}

    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        Configuration settings = settings(request);
        settings.set(KafkaOptions.BOUNDED.option(), true);
        CommonOptions options = QualityJob.OPTIONS.read(settings).common();
        long cpu = CpuClock.micros();
        try (FirstEvent first = FirstEvent.of(request)) {
            flink().run(settings, env -> define(env, options));
            return new SubjectRun(request.events(), first.microsSince(), CpuClock.micros() - cpu, Map.of());
        }
    }

    private static void define(StreamExecutionEnvironment env, CommonOptions options) {
        KafkaSources in = new KafkaSources(env, options.kafka(), options.source());
        DataStream<Answer> answers =
                in.stream(TopicRecords.of(Topic.ANSWERS, Codecs.ANSWER, Answer::queryId, Answer::answeredAtMillis));
        DataStream<PartialResult> partials = in.stream(TopicRecords.of(
                Topic.PARTIALS, Codecs.PARTIAL_RESULT, PartialResult::queryId, PartialResult::completedAtMillis));
        TypeInformation<Tuple2<Answer, PartialResult>> pair =
                Types.TUPLE(Format.typeOf(Codecs.ANSWER), Format.typeOf(Codecs.PARTIAL_RESULT));
        answers.keyBy(Answer::queryId, Types.STRING)
                .intervalJoin(partials.keyBy(PartialResult::queryId, Types.STRING))
                .between(Duration.ofSeconds(-1), Duration.ofMillis(PeerQuery.WINDOW_MILLIS))
                .process(new Pairs(), pair)
                .uid("pairs")
                .keyBy(p -> p.f0.queryId(), Types.STRING)
                .window(EventTimeSessionWindows.withGap(SESSION_GAP))
                .process(new MeasureSession(), Format.typeOf(Codecs.MEASUREMENT))
                .uid("measure")
                .sinkTo(KafkaSinks.of(options.kafka(), TopicRecords.QUALITY))
                .uid("quality-sink");
    }

    private static final class Pairs extends ProcessJoinFunction<Answer, PartialResult, Tuple2<Answer, PartialResult>> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                Answer answer, PartialResult partial, Context ctx, Collector<Tuple2<Answer, PartialResult>> out) {
            out.collect(Tuple2.of(answer, partial));
        }
    }
}
