package io.kipimo.jobs.replication;

import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.Output;
import io.kipimo.kafka.KafkaEpochClaimer;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.TopicRecords;
import io.kipimo.operators.control.ControlInputs;
import io.kipimo.operators.replication.ReplicationFunction;
import io.kipimo.operators.types.Format;
import io.kipimo.redis.RedisDecisionSink;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.TailWindow;
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

    private ReplicationJob() {}

    /** Adds the job to {@code env}. */
    public static void define(StreamExecutionEnvironment env, ReplicationOptions options) {
        KafkaSources in =
                new KafkaSources(env, options.common().kafka(), options.common().source());
        SingleOutputStreamOperator<Policy> policies = in.policies();
        SingleOutputStreamOperator<TailWindow> tails = in.stream(TopicRecords.TAILS);
        SingleOutputStreamOperator<Decision> admission = in.stream(TopicRecords.ADMISSION);

        DataStream<ReplicationDecision> replication = tails.keyBy(TailWindow::service, Types.STRING)
                .connect(ControlInputs.of(policies, admission, Format.typeOf(Codecs.DECISION), "replication")
                        .keyBy(ReplicationJob::service, Types.STRING))
                .process(
                        new ReplicationFunction(
                                new KafkaEpochClaimer(options.common().kafka())),
                        Format.typeOf(Codecs.REPLICATION_DECISION))
                .uid("replication")
                .name("replication");

        Output output = new Output(options.common());
        output.prompt(replication, TopicRecords.REPLICATION);
        options.redis().ifPresent(redis -> replication
                .sinkTo(RedisDecisionSink.replication(redis))
                .uid("redis-replication-sink")
                .name("redis-replication-sink"));
        output.deadLetters(in);
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
