package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.quality.Items;

/** Distinct items with their best scores, of which the best are taken; no boxing. */
final class ItemTable {
    private final long[] ids;
    private final double[] scores;

    /** Open addressing with linear probing: 1 + index of the item, 0 where free. */
    private final int[] slots;

    private int size;

    /**
     * @param capacity the largest number of items, duplicates included
     */
    ItemTable(int capacity) {
        this.ids = new long[capacity];
        this.scores = new double[capacity];
        this.slots = new int[Integer.highestOneBit(Math.max(1, capacity)) << 2];
    }

    /** Adds items, their scores multiplied by the weight. */
    void add(Items items, double weight) {
        if (items.isTexts()) {
            throw new IllegalArgumentException(
                    "items to merge have texts; allowed: numbers, of the query's ItemDictionary");
        }
        long[] numbers = items.numbers();
        float[] itemScores = items.scores();
        for (int i = 0; i < numbers.length; i++) {
            add(numbers[i], itemScores[i] * weight);
        }
    }

    private void add(long id, double score) {
        int mask = slots.length - 1;
        int slot = (int) ((id * 0x9E3779B97F4A7C15L) >>> 32) & mask;
        while (slots[slot] != 0) {
            int item = slots[slot] - 1;
            if (ids[item] == id) {
                scores[item] = Math.max(scores[item], score);
                return;
            }
            slot = (slot + 1) & mask;
        }
        ids[size] = id;
        scores[size] = score;
        slots[slot] = ++size;
    }

    /** The best items, at most {@code k}, in {@link TrecOrder}; the table is used up. */
    Ranking best(int k) {
        // The items 0..kept - 1 are a heap with the worst at the root.
        int kept = Math.min(k, size);
        for (int item = kept / 2 - 1; item >= 0; item--) {
            sink(item, kept);
        }
        for (int item = kept; item < size; item++) {
            if (isBetter(item, 0)) {
                swap(0, item);
                sink(0, kept);
            }
        }
        for (int last = kept - 1; last > 0; last--) {
            swap(0, last);
            sink(0, last);
        }
        long[] best = new long[kept];
        System.arraycopy(ids, 0, best, 0, kept);
        return Ranking.of(best);
    }

    private void sink(int item, int heapSize) {
        int parent = item;
        while (2 * parent + 1 < heapSize) {
            int child = 2 * parent + 1;
            if (child + 1 < heapSize && isBetter(child, child + 1)) {
                child++;
            }
            if (!isBetter(parent, child)) {
                return;
            }
            swap(parent, child);
            parent = child;
        }
    }

    private boolean isBetter(int item, int other) {
        return TrecOrder.compare(scores[item], ids[item], scores[other], ids[other]) < 0;
    }

    private void swap(int item, int other) {
        long id = ids[item];
        ids[item] = ids[other];
        ids[other] = id;
        double score = scores[item];
        scores[item] = scores[other];
        scores[other] = score;
    }
}
