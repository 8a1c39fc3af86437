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
 * Computes which subtask keeps the state of a key. Flink hashes a key to its key group, 0 to the maximum parallelism -
 * 1, and gives each subtask a range of key groups.
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

    /** Returns the keys of this subtask for which a state has a value. */
    public static <K> Set<K> keysWith(KeyedStateBackend<K> backend, StateDescriptor<? extends State, ?> descriptor)
            throws Exception {
        Set<K> keys = new HashSet<>();
        backend.applyToAllKeys(
                VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor, (key, state) -> keys.add(key));
        return keys;
    }

    /**
     * Lets an operator whose input has no key use keyed state. The operator sets the key itself when it restores and
     * stores state; its input sets no key ({@code setKeyContextElement1} does nothing). {@code keyBy} is no
     * alternative, because it would shuffle the input.
     */
    public static void keepState(SingleOutputStreamOperator<?> operator) {
        keepState((OneInputTransformation<?, ?>) operator.getTransformation());
    }

    private static <I> void keepState(OneInputTransformation<I, ?> node) {
        node.setStateKeySelector(noKey());
        node.setStateKeyType(Types.INT);
    }

    /** Returns the key selector that Flink requires for keyed state but never calls here. */
    public static <I> KeySelector<I, Integer> noKey() {
        return input -> 0;
    }
}
