package io.kipimo.jobs.admission;

import io.kipimo.jobs.Output;
import io.kipimo.jobs.flink.FlushOnDemand;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.RedisOptions;
import io.kipimo.kafka.KafkaEpochClaimer;
import io.kipimo.kafka.KafkaPolicies;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.TopicRecords;
import io.kipimo.operators.control.ControlFunction;
import io.kipimo.operators.control.ControlInputs;
import io.kipimo.operators.types.Format;
import io.kipimo.redis.RedisDecisionSink;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.ConnectedStreams;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Either;

/**
 * Reads quality windows, including control batches, and writes admitted fractions and sampling rates.
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
        KafkaSources in =
                new KafkaSources(env, options.common().kafka(), options.common().source());
        KafkaEpochClaimer epochs = new KafkaEpochClaimer(options.common().kafka());
        KafkaPolicies policies = new KafkaPolicies(options.common().kafka());
        ConnectedStreams<QualityWindow, Either<Policy, ReplicationDecision>> byService = in.stream(
                        TopicRecords.QUALITY_WINDOWS)
                .keyBy(QualityWindow::service, Types.STRING)
                .connect(ControlInputs.of(
                        in.policies(),
                        in.stream(TopicRecords.REPLICATION),
                        Format.typeOf(Codecs.REPLICATION_DECISION),
                        ReplicationDecision::service,
                        "admission"));
        DataStream<Decision> admission = decisions(byService, ControlFunction.admission(epochs, policies), "admission");
        DataStream<Decision> sampling = decisions(byService, ControlFunction.sampling(epochs, policies), "sampling");

        Output output = new Output(options.common());
        output.prompt(admission, TopicRecords.ADMISSION);
        output.prompt(sampling, TopicRecords.SAMPLING);
        options.own()
                .ifPresent(redis -> Output.to(
                        RedisDecisionSink.decisions(redis), "redis-decisions-sink", admission.union(sampling)));
        output.deadLetters(in, List.of());
        FlushOnDemand.of(env);
    }

    private static DataStream<Decision> decisions(
            ConnectedStreams<QualityWindow, Either<Policy, ReplicationDecision>> inputs,
            ControlFunction<QualityWindow, ReplicationDecision, Decision, ?> function,
            String uid) {
        return inputs.process(function, Format.typeOf(Codecs.DECISION)).uid(uid).name(uid);
    }
}
