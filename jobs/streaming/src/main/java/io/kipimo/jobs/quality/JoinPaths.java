package io.kipimo.jobs.quality;

import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.kafka.KafkaPartitions;
import io.kipimo.operators.quality.LocalQueryJoinOperator;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.operators.quality.QueryJoinOperator;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.apache.flink.streaming.api.graph.StreamGraphHasherV2;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses how events come to the join; see {@link JoinOptions#PATH}. */
final class JoinPaths {
    private static final Logger LOG = LoggerFactory.getLogger(JoinPaths.class);

    private static final Set<String> HEAP_BACKENDS =
            Set.of("hashmap", "org.apache.flink.runtime.state.hashmap.HashMapStateBackendFactory");

    private JoinPaths() {}

    /**
     * The partitions for a join in the source's task; empty: events are shuffled by query.
     *
     * @throws IllegalArgumentException if LOCAL is wanted, and not possible
     */
    static Optional<LogPartitions> choose(
            ReadableConfig flink, KafkaSettings kafka, JoinPath wanted) {
        if (wanted == JoinPath.KEYED) {
            return Optional.empty();
        }
        int answers = TopicAdmin.partitions(kafka, Topic.ANSWERS);
        int partials = TopicAdmin.partitions(kafka, Topic.PARTIALS);
        Optional<String> obstacle = obstacle(flink, answers, partials);
        if (wanted == JoinPath.LOCAL && obstacle.isPresent()) {
            throw new IllegalArgumentException(
                    JoinOptions.PATH.key()
                            + " is LOCAL, but "
                            + obstacle.get()
                            + "; allowed: KEYED");
        }
        obstacle = obstacle.or(() -> ofSavepoint(flink, wanted));
        if (obstacle.isPresent()) {
            LOG.info("Events are shuffled to the join, because {}", obstacle.get());
            return Optional.empty();
        }
        return Optional.of(new KafkaPartitions(answers));
    }

    private static Optional<String> obstacle(ReadableConfig flink, int answers, int partials) {
        String backend = flink.get(StateBackendOptions.STATE_BACKEND);
        if (!HEAP_BACKENDS.contains(backend)) {
            return Optional.of("state is not on the heap but in " + backend);
        }
        return answers == partials
                ? Optional.empty()
                : Optional.of(
                        "answers have "
                                + answers
                                + " partitions and partials "
                                + partials
                                + ", which must be equal");
    }

    private static Optional<String> ofSavepoint(ReadableConfig flink, JoinPath wanted) {
        Optional<String> path = flink.getOptional(StateRecoveryOptions.SAVEPOINT_PATH);
        if (wanted == JoinPath.LOCAL || path.isEmpty()) {
            return Optional.empty();
        }
        return isKeyed(path.get())
                ? Optional.of("the savepoint " + path.get() + " has keyed queries")
                : Optional.empty();
    }

    private static boolean isKeyed(String savepoint) {
        try {
            CompletedCheckpointStorageLocation location =
                    AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(savepoint);
            try (DataInputStream in =
                    new DataInputStream(location.getMetadataHandle().openInputStream())) {
                Set<OperatorID> operators =
                        Checkpoints.loadCheckpointMetadata(
                                        in, JoinPaths.class.getClassLoader(), savepoint)
                                .getOperatorStates()
                                .stream()
                                .map(OperatorState::getOperatorID)
                                .collect(Collectors.toSet());
                return !operators.contains(idOf(LocalQueryJoinOperator.UID))
                        && operators.contains(idOf(QueryJoinOperator.UID));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the savepoint " + savepoint + " cannot be read", e);
        }
    }

    private static OperatorID idOf(String uid) {
        return new OperatorID(StreamGraphHasherV2.generateUserSpecifiedHash(uid));
    }
}
