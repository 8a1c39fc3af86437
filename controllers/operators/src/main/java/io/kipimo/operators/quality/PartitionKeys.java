package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.QueryStore;
import io.kipimo.operators.flink.KeyGroups;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.JoinInput;
import java.util.stream.IntStream;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;

/**
 * Flink keys for the partitions of a log. State under a key of a partition, and records sent to that key, are in the
 * subtask that owns the partition ({@link LogPartitions}), at every parallelism.
 */
public final class PartitionKeys {
    /** Flink's type of the keys. */
    public static final TypeInformation<Integer> TYPE = Types.INT;

    /**
     * Number of keys of each key group, over which the state of its partitions is spread. In a canonical savepoint
     * Flink writes each key as one array, which must have less than 2 GB.
     */
    private static final int EACH = QueryStore.SEGMENTS;

    private final LogPartitions partitions;
    private final TaskInfo task;
    private final int[][] keys;
    /** Key groups of the subtask, in order. */
    private final int[] own;

    /** Creates the keys for the subtask of {@code task}. */
    public PartitionKeys(LogPartitions partitions, TaskInfo task) {
        this.partitions = partitions;
        this.task = task;
        keys = LogPartitions.keys(task.getMaxNumberOfParallelSubtasks(), EACH);
        own = KeyGroups.of(task).toArray();
    }

    /**
     * Sends each event to the subtask of its query's partition, and every other input to the subtask that it is
     * addressed to.
     */
    public static KeyedStream<JoinInput, Integer> shuffle(
            DataStream<JoinInput> inputs, LogPartitions partitions, int maxParallelism) {
        return inputs.keyBy(new InputKey(partitions, maxParallelism), TYPE);
    }

    /** Whether this subtask owns a partition. */
    boolean isOwned(int partition) {
        return partitions.owner(partition, task.getNumberOfParallelSubtasks(), task.getMaxNumberOfParallelSubtasks())
                == task.getIndexOfThisSubtask();
    }

    /**
     * Returns a key of a partition. Different numbers in {@code part} spread the partition's state over several keys.
     */
    int key(int partition, int part) {
        int keyGroup = LogPartitions.keyGroup(partition, partitions.count(), task.getMaxNumberOfParallelSubtasks());
        return keys[keyGroup][part % EACH];
    }

    /** The first key of each key group of this subtask. */
    public IntStream ownFirst() {
        return ownKeyGroups().map(keyGroup -> keys[keyGroup][0]);
    }

    /** All keys of this subtask. */
    IntStream own() {
        return ownKeyGroups().flatMap(keyGroup -> IntStream.of(keys[keyGroup]));
    }

    private IntStream ownKeyGroups() {
        return IntStream.of(own);
    }

    /**
     * Returns the key at which this subtask takes inputs that are sent to all subtasks. The sender does not know the
     * parallelism here, so it sends a copy to the first key of each key group. Each subtask uses only the copy with its
     * own address.
     */
    public int address() {
        return keys[own[0]][0];
    }

    /** The first key of each key group of all subtasks. */
    public int[] allFirst() {
        return IntStream.range(0, keys.length)
                .map(keyGroup -> keys[keyGroup][0])
                .toArray();
    }

    /** Selects the key by which the shuffle distributes an input. */
    private static final class InputKey implements KeySelector<JoinInput, Integer> {
        private final LogPartitions partitions;
        private final int maxParallelism;

        /** Key of each partition, by partition number. Null before the first use. */
        private transient Integer[] keys;

        InputKey(LogPartitions partitions, int maxParallelism) {
            this.partitions = partitions;
            this.maxParallelism = maxParallelism;
        }

        @Override
        public Integer getKey(JoinInput input) {
            if (input instanceof PolicyInput policy) {
                return policy.key();
            }
            if (input instanceof FeedTime time) {
                return time.key();
            }
            if (keys == null) {
                int[][] all = LogPartitions.keys(maxParallelism, 1);
                keys = IntStream.range(0, partitions.count())
                        .mapToObj(p -> all[LogPartitions.keyGroup(p, partitions.count(), maxParallelism)][0])
                        .toArray(Integer[]::new);
            }
            return keys[partitions.partitionOf(((LoggedEvent) input).key())];
        }
    }
}
