package io.kipimo.jobs.tails;

import io.kipimo.jobs.Output;
import io.kipimo.jobs.flink.FlushOnDemand;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.TailWindowOptions;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.TopicRecords;
import io.kipimo.operators.tails.TailsFlow;
import io.kipimo.operators.tails.TailsSettings;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Reads servers' observations, and writes tail latencies and capacity of servers, components, tiers and services.
 *
 * <pre>
 * server-observations ─┬─> servers ─┬─> components ─> tiers ─> services
 * policies ────────────┘            ├─> arbiters
 *                                   └─ (each level) ────────────────────> tails
 * </pre>
 */
public final class TailsJob {
    public static final String NAME = "tails";

    public static final OptionSet<TailsSettings> OPTIONS =
            new OptionSet<>(NAME, TailWindowOptions::read, List.of(TailWindowOptions.all()));

    private TailsJob() {}

    /** Adds the job to {@code env}, with the policies that exist now. */
    public static void define(StreamExecutionEnvironment env, OptionSet.Valid<TailsSettings> options) {
        define(env, options, PolicyStore.readAll(options.common().kafka()));
    }

    /**
     * Adds the job to {@code env}.
     *
     * @param known policies for observations that arrive before the stream of policies is read
     */
    static void define(
            StreamExecutionEnvironment env, OptionSet.Valid<TailsSettings> options, Map<String, Policy> known) {
        KafkaSources in =
                new KafkaSources(env, options.common().kafka(), options.common().source());
        TailsFlow tails = TailsFlow.of(
                in.serverObservations(),
                in.policies(),
                known,
                options.common().kafka().topicPrefix(),
                options.own());

        Output output = new Output(options.common());
        // At least once: the replicator reads windows and cannot wait for a checkpoint.
        output.prompt(tails.windows(), TopicRecords.TAILS);
        output.deadLetters(in, List.of(tails.deadLetters()));
        FlushOnDemand.of(env);
    }
}
