package io.kipimo.operators.invalidation;

import io.kipimo.operators.flink.KeyGroups;
import java.io.Serializable;

/**
 * Keys that spread a few items evenly over subtasks. Item numbers as keys would not do so: Flink hashes keys, so two of
 * four cells might go to one subtask, and none to another. Therefore items are spread over the key groups, which
 * subtasks own in order, and each item gets a key that Flink hashes to its key group.
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
