package io.kipimo.simulator.service;

import io.kipimo.schemas.quality.Items;
import java.util.Arrays;

/**
 * Places of one query's items, best item first.
 *
 * @param homes partition of each item
 * @param caches cache that also has the item; {@link #NONE} if no cache has it
 */
public record Placement(int[] homes, int[] caches) {
    /** Marks an item that no cache has. */
    static final int NONE = -1;

    /** Items that a partition returns. */
    public Items itemsIn(int partition) {
        long[] numbers = new long[homes.length];
        float[] scores = new float[homes.length];
        int count = 0;
        for (int item = 0; item < homes.length; item++) {
            if (homes[item] == partition || caches[item] == partition) {
                numbers[count] = item + 1L;
                scores[count++] = homes.length - item;
            }
        }
        return count == 0 ? Items.NONE : Items.ofNumbers(Arrays.copyOf(numbers, count), Arrays.copyOf(scores, count));
    }
}
