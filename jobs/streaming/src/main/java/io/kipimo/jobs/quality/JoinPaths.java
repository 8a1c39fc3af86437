package io.kipimo.jobs.quality;

import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.kafka.KafkaPartitions;
import io.kipimo.kafka.WriterPlaces;
import io.kipimo.operators.quality.LocalQueryJoinOperator;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the {@link JoinPath}, and checks whether it is possible. */
final class JoinPaths {
    private static final Logger LOG = LoggerFactory.getLogger(JoinPaths.class);

    private static final Set<String> HEAP_BACKENDS =
            Set.of("hashmap", "org.apache.flink.runtime.state.hashmap.HashMapStateBackendFactory");

    private JoinPaths() {}

    /**
     * The partitions for a join in the source's task; empty: events are shuffled by query.
     *
     * @throws IllegalArgumentException if LOCAL is wanted or stored, and not possible; if the
     *     savepoint cannot be read
     */
    static Optional<LogPartitions> of(ReadableConfig flink, JobOptions options, JoinPath wanted) {
        Optional<JoinPath> stored =
                wanted == JoinPath.AUTO
                        ? flink.getOptional(StateRecoveryOptions.SAVEPOINT_PATH)
                                .map(JoinPaths::stored)
                        : Optional.empty();
        stored.ifPresent(path -> logAuto(path, "the savepoint is of such a job"));
        JoinPath path = stored.orElse(wanted);
        if (path == JoinPath.KEYED) {
            return Optional.empty();
        }
        int answers = TopicAdmin.partitions(options.kafka(), Topic.ANSWERS);
        int partials = TopicAdmin.partitions(options.kafka(), Topic.PARTIALS);
        Optional<String> reason = whyNotLocal(flink, answers, partials, options.source().bounded());
        if (path == JoinPath.LOCAL) {
            if (reason.isPresent()) {
                throw new IllegalArgumentException(
                        JoinOptions.PATH.key()
                                + " is LOCAL, but "
                                + reason.get()
                                + "; allowed: KEYED");
            }
            return Optional.of(new KafkaPartitions(answers));
        }
        if (reason.isEmpty()) {
            WriterPlaces places = WriterPlaces.read(options.kafka(), answers);
            reason = places.doubt();
            if (reason.isEmpty()) {
                logAuto(JoinPath.LOCAL, places.evidence());
                return Optional.of(new KafkaPartitions(answers));
            }
        }
        logAuto(JoinPath.KEYED, reason.get());
        return Optional.empty();
    }

    private static void logAuto(JoinPath path, String reason) {
        LOG.info("{} AUTO is {}: {}", JoinOptions.PATH.key(), path, reason);
    }

    /**
     * Why the join cannot be in the source's task; empty: it can.
     *
     * @param answers number of partitions of the answers
     * @param partials number of partitions of the partial results
     */
    static Optional<String> whyNotLocal(
            ReadableConfig flink, int answers, int partials, boolean isBounded) {
        String backend = flink.get(StateBackendOptions.STATE_BACKEND);
        if (answers != partials) {
            return Optional.of(
                    "answers have %d partitions and partials %d, which must be equal"
                            .formatted(answers, partials));
        }
        if (!HEAP_BACKENDS.contains(backend)) {
            return Optional.of("state is not on the heap but in " + backend);
        }
        if (!flink.get(PipelineOptions.OPERATOR_CHAINING)) {
            return Optional.of("operator chaining is disabled");
        }
        return isBounded ? Optional.of("the source is bounded") : Optional.empty();
    }

    /** The path of the job that wrote a savepoint or checkpoint. */
    static JoinPath stored(String pointer) {
        try (DataInputStream in =
                new DataInputStream(
                        AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(pointer)
                                .getMetadataHandle()
                                .openInputStream())) {
            boolean isLocal =
                    Checkpoints.loadCheckpointMetadata(
                                    in, JoinPaths.class.getClassLoader(), pointer)
                            .getOperatorStates()
                            .stream()
                            .anyMatch(
                                    operator ->
                                            operator.getOperatorUid()
                                                    .filter(LocalQueryJoinOperator.UID::equals)
                                                    .isPresent());
            return isLocal ? JoinPath.LOCAL : JoinPath.KEYED;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    JoinOptions.PATH.key()
                            + " is AUTO, but the path of savepoint '"
                            + pointer
                            + "' cannot be read ("
                            + e.getMessage()
                            + "); allowed: KEYED or LOCAL, as the job that wrote it",
                    e);
        }
    }
}
