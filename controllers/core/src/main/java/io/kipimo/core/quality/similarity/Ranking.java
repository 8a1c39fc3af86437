package io.kipimo.core.quality.similarity;

import java.util.Arrays;

/** Distinct item ids, the best first; immutable, with ranks looked up by id. */
public final class Ranking {
    /** Up to this size looking at all ids is faster than a table. */
    private static final int SCANNED_SIZE = 8;

    private static final int[] NO_TABLE = {};

    /** No items. */
    public static final Ranking EMPTY = new Ranking(new long[0]);

    private final long[] ids;

    /** Open addressing with linear probing: 1 + rank of the id, 0 where free. */
    private final int[] table;

    private Ranking(long[] ids) {
        this.ids = ids;
        this.table = ids.length <= SCANNED_SIZE ? NO_TABLE : new int[tableSize(ids.length)];
        for (int rank = 0; rank < ids.length; rank++) {
            add(rank);
        }
    }

    /**
     * The ranking of these items.
     *
     * @throws IllegalArgumentException if an id is there twice
     */
    public static Ranking of(long... idsBestFirst) {
        return idsBestFirst.length == 0 ? EMPTY : new Ranking(idsBestFirst.clone());
    }

    public int size() {
        return ids.length;
    }

    public boolean isEmpty() {
        return ids.length == 0;
    }

    /**
     * The item at a rank.
     *
     * @param rank from 0, the best
     * @throws IndexOutOfBoundsException if there is no such rank
     */
    public long id(int rank) {
        return ids[rank];
    }

    /** The ids, best first; a copy. */
    public long[] toArray() {
        return ids.clone();
    }

    /** The rank of an item from 0, the best; -1 if it is not there. */
    public int rankOf(long id) {
        if (table.length == 0) {
            return scan(id, ids.length);
        }
        int slot = slotOf(id);
        while (table[slot] != 0) {
            int rank = table[slot] - 1;
            if (ids[rank] == id) {
                return rank;
            }
            slot = (slot + 1) & (table.length - 1);
        }
        return -1;
    }

    public boolean contains(long id) {
        return rankOf(id) >= 0;
    }

    /** Whether the item is among the best {@code k}. */
    public boolean hasInTop(long id, int k) {
        int rank = rankOf(id);
        return rank >= 0 && rank < k;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ranking ranking && Arrays.equals(ids, ranking.ids);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ids);
    }

    @Override
    public String toString() {
        return Arrays.toString(ids);
    }

    private void add(int rank) {
        long id = ids[rank];
        if (table.length == 0) {
            if (scan(id, rank) >= 0) {
                throw twice(id);
            }
            return;
        }
        int slot = slotOf(id);
        while (table[slot] != 0) {
            if (ids[table[slot] - 1] == id) {
                throw twice(id);
            }
            slot = (slot + 1) & (table.length - 1);
        }
        table[slot] = rank + 1;
    }

    private int scan(long id, int size) {
        for (int rank = 0; rank < size; rank++) {
            if (ids[rank] == id) {
                return rank;
            }
        }
        return -1;
    }

    private int slotOf(long id) {
        // Fibonacci hashing: dense ids spread, and the upper half carries the mix.
        return (int) ((id * 0x9E3779B97F4A7C15L) >>> 32) & (table.length - 1);
    }

    /** At most half full. */
    private static int tableSize(int size) {
        return Integer.highestOneBit(size - 1) << 2;
    }

    private static IllegalArgumentException twice(long id) {
        return new IllegalArgumentException(
                "ranking has item "
                        + Long.toUnsignedString(id)
                        + " twice; allowed: distinct items");
    }
}
