package io.kipimo.operators.invalidation;

import io.kipimo.operators.flink.KeyGroups;
import java.io.Serializable;

/**
 * Keys that spread a few items evenly over subtasks. Plain numbers would not spread: Flink hashes keys, so that two of
 * four cells may go to one subtask, and none to another. Each item therefore gets the least key of its key group, and
 * subtasks own key groups in order.
 *
 * @param keys key of each item, by number
 */
record SpreadKeys(int[] keys) implements Serializable {
    /**
     * Number of Flink's key groups, as {@code JobEnvironment} sets it. With another number the items spread less
     * evenly.
     */
    private static final int GROUPS = 128;

    static SpreadKeys of(int count) {
        int[] keys = new int[count];
        int next = 0;
        for (int i = 0; i < count; i++) {
            int group = count <= GROUPS ? (int) ((long) i * GROUPS / count) : i % GROUPS;
            while (KeyGroups.of(next, GROUPS) != group) {
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
