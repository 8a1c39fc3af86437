package io.kipimo.endtoend.upgrade;

import io.kipimo.operators.types.FormatSerializerSnapshot;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorBackendSerializationProxy;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/** The states in a savepoint: operator, state, and the serializers that wrote it. */
final class SavepointStates {
    private SavepointStates() {}

    /** One line for each state. */
    static SortedSet<String> of(Path savepoint) throws IOException {
        ClassLoader classes = SavepointStates.class.getClassLoader();
        SortedSet<String> states = new TreeSet<>();
        for (OperatorState operator : operators(savepoint)) {
            String uid = operator.getOperatorUid()
                    .orElseGet(() -> operator.getOperatorID().toString());
            for (OperatorSubtaskState subtask : operator.getStates()) {
                for (KeyedStateHandle handle : subtask.getManagedKeyedState()) {
                    KeyedBackendSerializationProxy<?> proxy = new KeyedBackendSerializationProxy<>(classes);
                    try (FSDataInputStream in = ((StreamStateHandle) handle).openInputStream()) {
                        proxy.read(new DataInputViewStreamWrapper(in));
                    }
                    states.add(uid + " by " + name(proxy.getKeySerializerSnapshot()));
                    proxy.getStateMetaInfoSnapshots().forEach(s -> states.add(line(uid, s)));
                }
                for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
                    OperatorBackendSerializationProxy proxy = new OperatorBackendSerializationProxy(classes);
                    try (FSDataInputStream in = handle.openInputStream()) {
                        proxy.read(new DataInputViewStreamWrapper(in));
                    }
                    proxy.getOperatorStateMetaInfoSnapshots().forEach(s -> states.add(line(uid, s)));
                    proxy.getBroadcastStateMetaInfoSnapshots().forEach(s -> states.add(line(uid, s)));
                }
            }
        }
        return states;
    }

    /** Operators of a savepoint, also those without state. */
    static Collection<OperatorState> operators(Path savepoint) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(savepoint.resolve("_metadata")))) {
            return Checkpoints.loadCheckpointMetadata(
                            in,
                            SavepointStates.class.getClassLoader(),
                            savepoint.toUri().toString())
                    .getOperatorStates();
        }
    }

    private static String line(String uid, StateMetaInfoSnapshot state) {
        Map<String, TypeSerializerSnapshot<?>> serializers = new TreeMap<>(state.getSerializerSnapshotsImmutable());
        return uid
                + " has "
                + state.getName()
                + " ("
                + state.getBackendStateType()
                + "): "
                + serializers.entrySet().stream()
                        .map(s -> s.getKey() + " " + name(s.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private static String name(TypeSerializerSnapshot<?> snapshot) {
        return snapshot instanceof FormatSerializerSnapshot<?>
                ? "format " + snapshot
                : snapshot.getClass().getSimpleName();
    }
}
