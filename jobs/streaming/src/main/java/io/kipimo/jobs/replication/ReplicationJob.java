package io.kipimo.jobs.replication;

import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.Output;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.RedisOptions;
import io.kipimo.kafka.EventTime;
import io.kipimo.kafka.KafkaEpochClaimer;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.SourceSettings;
import io.kipimo.operators.control.ControlInputs;
import io.kipimo.operators.replication.ReplicationFunction;
import io.kipimo.operators.types.Format;
import io.kipimo.redis.RedisDecisionSink;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Either;

/**
 * Windows of tails in; replication factors out.
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
        KafkaSettings kafka = options.common().kafka();
        SourceSettings source = options.common().source();
        SingleOutputStreamOperator<Policy> policies = KafkaSources.policies(env, kafka, source);
        SingleOutputStreamOperator<TailWindow> tails = KafkaSources.stream(
                env,
                kafka,
                Topic.TAILS,
                Codecs.TAIL_WINDOW,
                EventTime.by(TailWindow::endMillis, TailWindow::service),
                source,
                "tails");
        SingleOutputStreamOperator<Decision> admission = KafkaSources.stream(
                env,
                kafka,
                Topic.ADMISSION,
                Codecs.DECISION,
                EventTime.by(Decision::issuedAtMillis, Decision::scope),
                source,
                "admission");

        DataStream<ReplicationDecision> replication = tails.keyBy(TailWindow::service, Types.STRING)
                .connect(ControlInputs.of(policies, admission, Format.typeOf(Codecs.DECISION), "replication")
                        .keyBy(ReplicationJob::service, Types.STRING))
                .process(
                        new ReplicationFunction(new KafkaEpochClaimer(kafka)),
                        Format.typeOf(Codecs.REPLICATION_DECISION))
                .uid("replication")
                .name("replication");

        Output output = new Output(options.common());
        output.prompt(
                replication,
                Topic.REPLICATION,
                Codecs.REPLICATION_DECISION,
                ReplicationDecision::service,
                ReplicationDecision::issuedAtMillis);
        options.own().ifPresent(redis -> replication
                .sinkTo(RedisDecisionSink.replication(redis))
                .uid("redis-replication-sink")
                .name("redis-replication-sink"));
        output.deadLetters(List.of(tails, policies, admission), List.of());
        JobEnvironment.flushOnDemand(env);
    }

    /** Admission decides a class: service/class. */
    private static String service(Either<Policy, Decision> input) {
        if (input.isLeft()) {
            return input.left().service();
        }
        String scope = input.right().scope();
        int slash = scope.indexOf('/');
        return slash < 0 ? scope : scope.substring(0, slash);
    }
}
