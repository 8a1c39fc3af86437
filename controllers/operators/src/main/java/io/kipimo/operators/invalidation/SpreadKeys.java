package io.kipimo.operators.invalidation;

import java.io.Serializable;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Keys of a few things that are to be spread evenly over subtasks. Their own numbers will not do:
 * Flink hashes keys, and of four cells two may fall on one subtask and none on another. So each has
 * the least key that falls into the group that is due to it; subtasks own groups in order.
 *
 * @param keys by number
 */
record SpreadKeys(int[] keys) implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * Flink's key groups, as {@code JobEnvironment} sets them; with others the spread is less even.
     */
    private static final int GROUPS = 128;

    static SpreadKeys of(int count) {
        int[] keys = new int[count];
        int next = 0;
        for (int i = 0; i < count; i++) {
            int group = count <= GROUPS ? (int) ((long) i * GROUPS / count) : i % GROUPS;
            while (KeyGroupRangeAssignment.assignToKeyGroup(next, GROUPS) != group) {
                next++;
            }
            keys[i] = next++;
        }
        return new SpreadKeys(keys);
    }

    int key(int number) {
        return keys[number];
    }
}
