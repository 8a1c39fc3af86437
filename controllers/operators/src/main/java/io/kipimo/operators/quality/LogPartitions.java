package io.kipimo.operators.quality;

import io.kipimo.operators.flink.KeyGroups;
import io.kipimo.schemas.quality.QueryKey;
import java.io.Serializable;

/**
 * Maps the partitions of the topics of answers and partial results to the subtasks that read them. Both topics have the
 * same number of partitions. The state of a partition is in a key group ({@link #keyGroup}), and the partition belongs
 * to the subtask to which Flink gives the key group. So state follows its partition at every parallelism.
 */
public interface LogPartitions extends Serializable {
    /** Number of partitions of each topic when the job was submitted. */
    int count();

    /** Partition of a query's events: a hash of the key modulo {@link #count}. */
    int partitionOf(QueryKey key);

    /**
     * Subtask that reads and joins a partition, 0 to {@code parallelism} - 1.
     *
     * @param maxParallelism maximum parallelism of the job, which is Flink's number of key groups
     */
    default int owner(int partition, int parallelism, int maxParallelism) {
        return KeyGroups.owner(keyGroup(partition, count(), maxParallelism), parallelism, maxParallelism);
    }

    /**
     * Returns the key group of the state of a partition. At a parallelism up to the number of partitions, no subtask
     * has more than one partition above its share. At a parallelism that divides the number of partitions, all subtasks
     * have equally many. If the number of partitions is doubled, each key group range is halved. Former partitions keep
     * their key groups, and at a parallelism that divides the former number, the queries of each former partition stay
     * in one subtask.
     *
     * <p>If there are more partitions than key groups, the numbers of partitions per key group differ by at most one.
     *
     * @param partitions number of partitions when the job was submitted. A partition p beyond it was added later and
     *     has the key group of partition p modulo this number
     */
    static int keyGroup(int partition, int partitions, int maxParallelism) {
        int doublings = Integer.numberOfTrailingZeros(partitions);
        int odd = partitions >> doublings;
        int place = partition % partitions;
        long rank = ((long) (place % odd) << doublings)
                | ((Integer.reverse(place / odd) & 0xFFFF_FFFFL) >>> (Integer.SIZE - doublings));
        // Fewer partitions than key groups: rounded up, so that a subtask for each partition has just that one. More:
        // rounded down, or the last key group would have twice as many as the others.
        long roundedUp = partitions <= maxParallelism ? partitions - 1 : 0;
        return (int) ((rank * maxParallelism + roundedUp) / partitions);
    }

    /**
     * Returns the least keys that Flink hashes to each key group. They are the same in every program.
     *
     * @param each number of keys for each key group
     */
    static int[][] keys(int maxParallelism, int each) {
        int[][] keys = new int[maxParallelism][each];
        int[] found = new int[maxParallelism];
        int missing = maxParallelism * each;
        for (int key = 0; missing > 0; key++) {
            int keyGroup = KeyGroups.of(key, maxParallelism);
            if (found[keyGroup] < each) {
                keys[keyGroup][found[keyGroup]++] = key;
                missing--;
            }
        }
        return keys;
    }

    /**
     * Returns whether queries of a former partition may be in a given partition now.
     *
     * @param former number of the former partition
     * @param formerCount number of partitions at the former time
     */
    default boolean mayContinue(int former, int formerCount, int partition) {
        return count() % formerCount != 0 || partition % formerCount == former;
    }

    /**
     * Returns the greatest parallelism up to {@code most} at which all queries stay in the subtask that gets their
     * state after the number of partitions was changed from {@code formerCount}. Parallelism 1 is always possible.
     */
    default int greatestParallelism(int formerCount, int most, int maxParallelism) {
        int parallelism = most;
        while (!staysInSubtasks(formerCount, parallelism, maxParallelism)) {
            parallelism--;
        }
        return parallelism;
    }

    private boolean staysInSubtasks(int formerCount, int parallelism, int maxParallelism) {
        for (int former = 0; former < formerCount; former++) {
            int subtask = KeyGroups.owner(keyGroup(former, formerCount, maxParallelism), parallelism, maxParallelism);
            for (int partition = 0; partition < count(); partition++) {
                if (mayContinue(former, formerCount, partition)
                        && owner(partition, parallelism, maxParallelism) != subtask) {
                    return false;
                }
            }
        }
        return true;
    }
}
