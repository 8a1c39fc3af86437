package io.kipimo.operators.flink;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;

/**
 * Where Flink keeps the state of a key: a hash of the key gives its key group, 0 to the maximum parallelism - 1, and
 * each subtask has a range of key groups.
 */
public final class KeyGroups {
    private KeyGroups() {}

    /** Key group of a key. */
    public static int of(int key, int maxParallelism) {
        return KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism);
    }

    /** Subtask that has a key group, 0 to {@code parallelism} - 1. */
    public static int owner(int keyGroup, int parallelism, int maxParallelism) {
        return KeyGroupRangeAssignment.computeOperatorIndexForKeyGroup(maxParallelism, parallelism, keyGroup);
    }

    /** Whether a subtask has the state of a key. */
    public static boolean isOwned(int key, TaskInfo task) {
        int max = task.getMaxNumberOfParallelSubtasks();
        return owner(of(key, max), task.getNumberOfParallelSubtasks(), max) == task.getIndexOfThisSubtask();
    }

    /** Key groups of a subtask, in order. */
    public static IntStream of(TaskInfo task) {
        KeyGroupRange range = KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                task.getMaxNumberOfParallelSubtasks(),
                task.getNumberOfParallelSubtasks(),
                task.getIndexOfThisSubtask());
        return IntStream.rangeClosed(range.getStartKeyGroup(), range.getEndKeyGroup());
    }

    /** Keys of this subtask that have a value of a state. */
    public static <K> Set<K> keysWith(KeyedStateBackend<K> backend, StateDescriptor<? extends State, ?> descriptor)
            throws Exception {
        Set<K> keys = new HashSet<>();
        backend.applyToAllKeys(
                VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor, (key, state) -> keys.add(key));
        return keys;
    }

    /**
     * Lets an operator whose input has no key use keyed state. It sets the key itself where it restores and stores, and
     * events set none ({@code setKeyContextElement1} does nothing). {@code keyBy} would shuffle the input.
     */
    public static void keepState(SingleOutputStreamOperator<?> operator) {
        keepState((OneInputTransformation<?, ?>) operator.getTransformation());
    }

    private static <I> void keepState(OneInputTransformation<I, ?> node) {
        node.setStateKeySelector(noKey());
        node.setStateKeyType(Types.INT);
    }

    /** Never called. */
    public static <I> KeySelector<I, Integer> noKey() {
        return input -> 0;
    }
}
