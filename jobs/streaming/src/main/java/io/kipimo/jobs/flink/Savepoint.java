package io.kipimo.jobs.flink;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumStateSerializer;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;

/** Reads the metadata of a savepoint or checkpoint before a job starts from it. */
public final class Savepoint {
    private final Collection<OperatorState> operators;

    private Savepoint(Collection<OperatorState> operators) {
        this.operators = operators;
    }

    /**
     * Reads the metadata.
     *
     * @param pointer address of the savepoint or checkpoint, in Flink's form
     * @throws IOException if the metadata cannot be read
     */
    public static Savepoint read(String pointer) throws IOException {
        try (DataInputStream in =
                new DataInputStream(AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(pointer)
                        .getMetadataHandle()
                        .openInputStream())) {
            return new Savepoint(Checkpoints.loadCheckpointMetadata(in, Savepoint.class.getClassLoader(), pointer)
                    .getOperatorStates());
        }
    }

    /** The uids of its operators, as far as it states them. */
    public Set<String> uids() {
        return operators.stream()
                .flatMap(operator -> operator.getOperatorUid().stream())
                .collect(Collectors.toSet());
    }

    /** Number of partitions that its Kafka sources know, by topic. */
    public Map<String, Integer> partitions() {
        Map<String, Integer> partitions = new TreeMap<>();
        for (OperatorState operator : operators) {
            if (operator.getCoordinatorState() != null) {
                source(operator.getCoordinatorState()).stream()
                        .flatMap(state ->
                                Stream.concat(state.assignedSplits().stream(), state.unassignedSplits().stream()))
                        .forEach(split -> partitions.merge(split.getTopic(), split.getPartition() + 1, Math::max));
            }
        }
        return partitions;
    }

    /** Reads the state of a source's enumerator; empty if the coordinator is not that of a Kafka source. */
    private static Optional<KafkaSourceEnumState> source(ByteStreamStateHandle coordinator) {
        // As Flink's SourceCoordinator writes it, whose methods are not public.
        try (DataInputStream in = new DataInputStream(coordinator.openInputStream())) {
            in.readInt();
            int version = in.readInt();
            byte[] bytes = in.readNBytes(in.readInt());
            return Optional.of(new KafkaSourceEnumStateSerializer().deserialize(version, bytes));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
