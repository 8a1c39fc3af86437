package io.kipimo.jobs.quality;

import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.kafka.KafkaPartitions;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateBackendOptions;

/** Checks whether the wanted {@link JoinPath} is possible. */
final class JoinPaths {
    private static final Set<String> HEAP_BACKENDS =
            Set.of("hashmap", "org.apache.flink.runtime.state.hashmap.HashMapStateBackendFactory");

    private JoinPaths() {}

    /**
     * The partitions for a join in the source's task; empty: events are shuffled by query.
     *
     * @throws IllegalArgumentException if LOCAL is wanted, and not possible
     */
    static Optional<LogPartitions> of(ReadableConfig flink, JobOptions options, JoinPath wanted) {
        if (wanted == JoinPath.KEYED) {
            return Optional.empty();
        }
        int answers = TopicAdmin.partitions(options.kafka(), Topic.ANSWERS);
        int partials = TopicAdmin.partitions(options.kafka(), Topic.PARTIALS);
        String backend = flink.get(StateBackendOptions.STATE_BACKEND);
        refuseIf(
                answers != partials,
                "answers have %d partitions and partials %d, which must be equal"
                        .formatted(answers, partials));
        refuseIf(!HEAP_BACKENDS.contains(backend), "state is not on the heap but in " + backend);
        refuseIf(!flink.get(PipelineOptions.OPERATOR_CHAINING), "operator chaining is disabled");
        refuseIf(options.source().bounded(), "the source is bounded");
        return Optional.of(new KafkaPartitions(answers));
    }

    private static void refuseIf(boolean isImpossible, String reason) {
        if (isImpossible) {
            throw new IllegalArgumentException(
                    JoinOptions.PATH.key() + " is LOCAL, but " + reason + "; allowed: KEYED");
        }
    }
}
