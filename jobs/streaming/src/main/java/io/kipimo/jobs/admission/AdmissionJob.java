package io.kipimo.jobs.admission;

import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.Output;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.RedisOptions;
import io.kipimo.kafka.EventTime;
import io.kipimo.kafka.KafkaEpochClaimer;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.SourceSettings;
import io.kipimo.operators.admission.AdmissionFunction;
import io.kipimo.operators.admission.SamplingFunction;
import io.kipimo.operators.control.ControlInputs;
import io.kipimo.operators.types.Format;
import io.kipimo.redis.RedisDecisionSink;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.ConnectedStreams;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Either;

/**
 * Windows and control batches in; admitted fractions and sampling rates out.
 *
 * <pre>
 * quality-windows ───────────┬─> admission (service) ─┬─> admission
 * policies, replication ─────┤                        └─> Redis
 *                            └─> sampling (service) ────> sampling
 * </pre>
 */
public final class AdmissionJob {
    public static final String NAME = "admission";

    public static final OptionSet<Optional<RedisSettings>> OPTIONS =
            new OptionSet<>(NAME, RedisOptions::read, List.of(RedisOptions.all()));

    private AdmissionJob() {}

    /** Adds the job to {@code env}. */
    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<Optional<RedisSettings>> options) {
        KafkaSettings kafka = options.common().kafka();
        SourceSettings source = options.common().source();
        SingleOutputStreamOperator<Policy> policies = KafkaSources.policies(env, kafka, source);
        SingleOutputStreamOperator<QualityWindow> windows = KafkaSources.stream(
                env,
                kafka,
                Topic.QUALITY_WINDOWS,
                Codecs.QUALITY_WINDOW,
                EventTime.by(QualityWindow::endMillis, QualityWindow::service),
                source,
                "quality-windows");
        SingleOutputStreamOperator<ReplicationDecision> replication = KafkaSources.stream(
                env,
                kafka,
                Topic.REPLICATION,
                Codecs.REPLICATION_DECISION,
                EventTime.by(ReplicationDecision::issuedAtMillis, ReplicationDecision::service),
                source,
                "replication");
        ConnectedStreams<QualityWindow, Either<Policy, ReplicationDecision>> byService = windows.keyBy(
                        QualityWindow::service, Types.STRING)
                .connect(
                        ControlInputs.of(policies, replication, Format.typeOf(Codecs.REPLICATION_DECISION), "admission")
                                .keyBy(AdmissionJob::service, Types.STRING));
        TypeInformation<Decision> decisionType = Format.typeOf(Codecs.DECISION);
        KafkaEpochClaimer epochs = new KafkaEpochClaimer(kafka);

        DataStream<Decision> admission = byService
                .process(new AdmissionFunction(epochs), decisionType)
                .uid("admission")
                .name("admission");
        DataStream<Decision> sampling = byService
                .process(new SamplingFunction(epochs), decisionType)
                .uid("sampling")
                .name("sampling");

        write(admission, sampling, options);
        new Output(options.common()).deadLetters(List.of(windows, policies, replication), List.of());
        JobEnvironment.flushOnDemand(env);
    }

    private static void write(
            DataStream<Decision> admission,
            DataStream<Decision> sampling,
            OptionSet.Valid<Optional<RedisSettings>> options) {
        Output output = new Output(options.common());
        output.prompt(admission, Topic.ADMISSION, Codecs.DECISION, Decision::scope, Decision::issuedAtMillis);
        output.prompt(sampling, Topic.SAMPLING, Codecs.DECISION, Decision::scope, Decision::issuedAtMillis);
        options.own().ifPresent(redis -> admission
                .union(sampling)
                .sinkTo(RedisDecisionSink.decisions(redis))
                .uid("redis-decisions-sink")
                .name("redis-decisions-sink"));
    }

    private static String service(Either<Policy, ReplicationDecision> input) {
        return input.isLeft() ? input.left().service() : input.right().service();
    }
}
