package io.kipimo.jobs.replication;

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
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.TailWindow;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Reads windows of tail latencies and writes replication factors.
 *
 * <pre>
 * tails ──────────────────────┬─> replication (service) ──> replication, Redis
 * policies, admission ────────┘
 * </pre>
 */
public final class ReplicationJob {
    public static final String NAME = "replication";

    public static final OptionSet<Optional<RedisSettings>> OPTIONS =
            new OptionSet<>(NAME, RedisOptions::read, List.of(RedisOptions.all()));

    private ReplicationJob() {}

    /** Adds the job to {@code env}. */
    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<Optional<RedisSettings>> options) {
        KafkaSources in =
                new KafkaSources(env, options.common().kafka(), options.common().source());
        DataStream<ReplicationDecision> replication = in.stream(TopicRecords.TAILS)
                .keyBy(TailWindow::service, Types.STRING)
                .connect(ControlInputs.of(
                        in.policies(),
                        in.stream(TopicRecords.ADMISSION),
                        Format.typeOf(Codecs.DECISION),
                        admission -> ServiceClass.of(admission.scope()).service(),
                        "replication"))
                .process(
                        ControlFunction.replication(
                                new KafkaEpochClaimer(options.common().kafka()),
                                new KafkaPolicies(options.common().kafka())),
                        Format.typeOf(Codecs.REPLICATION_DECISION))
                .uid("replication")
                .name("replication");

        Output output = new Output(options.common());
        output.prompt(replication, TopicRecords.REPLICATION);
        options.own()
                .ifPresent(redis ->
                        Output.to(RedisDecisionSink.replication(redis), "redis-replication-sink", replication));
        output.deadLetters(in, List.of());
        FlushOnDemand.of(env);
    }
}
