package io.kipimo.operators.quality;

import io.kipimo.operators.flink.KeyGroups;
import io.kipimo.schemas.quality.QueryKey;
import java.io.Serializable;

/**
 * The partitions of the topics of answers and partial results, which have the same number, and the subtasks that read
 * them. The state of a partition is in a key group ({@link #keyGroup}), and the partition belongs to the subtask to
 * which Flink gives the key group. So state follows its partition at every parallelism.
 */
public interface LogPartitions extends Serializable {
    /** Number of partitions of each topic when the job was submitted. */
    int count();

    /** Partition of a query's events: a hash of the key modulo {@link #count}. */
    int partitionOf(QueryKey key);

    /**
     * Subtask that reads and joins a partition, 0 to {@code parallelism} - 1.
     *
     * @param maxParallelism of the job: Flink's number of key groups
     */
    default int owner(int partition, int parallelism, int maxParallelism) {
        return KeyGroups.owner(keyGroup(partition, count(), maxParallelism), parallelism, maxParallelism);
    }

    /**
     * Key group of the state of a partition. At a parallelism up to the number of partitions, no subtask has more than
     * one partition above its share. At a parallelism that divides this number, all subtasks have equally many. If the
     * number of partitions is doubled, each key group range is halved: former partitions keep their key groups, and a
     * parallelism that divides the former number keeps the queries of each partition in one subtask.
     *
     * <p>With more partitions than key groups, their numbers differ by at most one.
     *
     * @param partitions number of partitions; partition p beyond it was added later and belongs to p modulo the number
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
     * For each key group, the least keys in it. They are the same in every program.
     *
     * @param each number of keys of a key group
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
     * Whether queries of a former partition may be in a partition now.
     *
     * @param formerCount number of partitions at that time
     */
    default boolean mayContinue(int former, int formerCount, int partition) {
        return count() % formerCount != 0 || partition % formerCount == former;
    }

    /**
     * Greatest parallelism up to {@code most} at which all queries of a former number of partitions are still in the
     * subtask that gets their state; parallelism 1 always is possible.
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
