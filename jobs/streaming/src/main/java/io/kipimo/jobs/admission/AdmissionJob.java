package io.kipimo.jobs.admission;

import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.Output;
import io.kipimo.kafka.KafkaEpochClaimer;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.TopicRecords;
import io.kipimo.operators.admission.AdmissionFunction;
import io.kipimo.operators.admission.SamplingFunction;
import io.kipimo.operators.control.ControlInputs;
import io.kipimo.operators.types.Format;
import io.kipimo.redis.RedisDecisionSink;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.replication.ReplicationDecision;
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

    private AdmissionJob() {}

    /** Adds the job to {@code env}. */
    public static void define(StreamExecutionEnvironment env, AdmissionOptions options) {
        KafkaSources in =
                new KafkaSources(env, options.common().kafka(), options.common().source());
        SingleOutputStreamOperator<Policy> policies = in.policies();
        SingleOutputStreamOperator<QualityWindow> windows = in.stream(TopicRecords.QUALITY_WINDOWS);
        SingleOutputStreamOperator<ReplicationDecision> replication = in.stream(TopicRecords.REPLICATION);
        ConnectedStreams<QualityWindow, Either<Policy, ReplicationDecision>> byService = windows.keyBy(
                        QualityWindow::service, Types.STRING)
                .connect(
                        ControlInputs.of(policies, replication, Format.typeOf(Codecs.REPLICATION_DECISION), "admission")
                                .keyBy(AdmissionJob::service, Types.STRING));
        TypeInformation<Decision> decisionType = Format.typeOf(Codecs.DECISION);
        KafkaEpochClaimer epochs = new KafkaEpochClaimer(options.common().kafka());

        DataStream<Decision> admission = byService
                .process(new AdmissionFunction(epochs), decisionType)
                .uid("admission")
                .name("admission");
        DataStream<Decision> sampling = byService
                .process(new SamplingFunction(epochs), decisionType)
                .uid("sampling")
                .name("sampling");

        write(admission, sampling, options);
        new Output(options.common()).deadLetters(in);
        JobEnvironment.flushOnDemand(env);
    }

    private static void write(DataStream<Decision> admission, DataStream<Decision> sampling, AdmissionOptions options) {
        Output output = new Output(options.common());
        output.prompt(admission, TopicRecords.ADMISSION);
        output.prompt(sampling, TopicRecords.SAMPLING);
        options.redis().ifPresent(redis -> admission
                .union(sampling)
                .sinkTo(RedisDecisionSink.decisions(redis))
                .uid("redis-decisions-sink")
                .name("redis-decisions-sink"));
    }

    private static String service(Either<Policy, ReplicationDecision> input) {
        return input.isLeft() ? input.left().service() : input.right().service();
    }
}
