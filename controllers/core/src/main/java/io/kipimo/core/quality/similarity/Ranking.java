package io.kipimo.core.quality.similarity;

import io.kipimo.schemas.quality.ScoredIds;
import java.util.Arrays;
import java.util.BitSet;

/** Distinct item ids, best first; immutable, with look-up of ranks by id. */
public final class Ranking {
    /** Up to this size a scan of all ids is faster than a table. */
    private static final int SCANNED_SIZE = 8;

    /** Up to this size all marks fit into a byte. */
    private static final int BYTES_SIZE = 255;

    private static final byte[] NO_BYTES = {};
    private static final int[] NO_INTS = {};

    /** The ranking without items. */
    public static final Ranking EMPTY = new Ranking(new long[0], NO_BYTES, NO_INTS);

    private final long[] ids;

    // A table with open addressing and linear probing, in one of the two arrays, or in neither. A
    // mark is 1 + rank of the id; 0: free.
    private final byte[] bytes;
    private final int[] ints;

    private Ranking(long[] ids, byte[] bytes, int[] ints) {
        this.ids = ids;
        this.bytes = bytes;
        this.ints = ints;
    }

    /**
     * The ranking of these items.
     *
     * @throws IllegalArgumentException if an id occurs twice
     */
    public static Ranking of(long... idsBestFirst) {
        RankingBuilder builder = builder(idsBestFirst.length);
        for (long id : idsBestFirst) {
            if (!builder.addIfNew(id)) {
                throw twice(id);
            }
        }
        return builder.build();
    }

    /**
     * A builder of a ranking; items are added best first.
     *
     * @param capacity most items that will be added
     */
    public static RankingBuilder builder(int capacity) {
        return new RankingBuilder(capacity);
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
        int last = bytes.length + ints.length - 1;
        if (last < 0) {
            return scan(ids, ids.length, id);
        }
        int slot = slotOf(id, last);
        for (int mark = mark(slot, bytes, ints); mark != 0; mark = mark(slot, bytes, ints)) {
            if (ids[mark - 1] == id) {
                return mark - 1;
            }
            slot = (slot + 1) & last;
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

    /** Share of the best {@code k} items that the items at these ranks make up, 0..1; 0 if this ranking is empty. */
    public double shareOf(BitSet ranks, int k) {
        int size = Math.min(k, ids.length);
        BitSet best = ranks.length() <= size ? ranks : ranks.get(0, size);
        return size == 0 ? 0 : (double) best.cardinality() / size;
    }

    /** The ranks of those of the given ids that this ranking has. */
    public BitSet ranksOf(ScoredIds some) {
        BitSet ranks = new BitSet(ids.length);
        for (int i = 0; i < some.size(); i++) {
            int rank = rankOf(some.id(i));
            if (rank >= 0) {
                ranks.set(rank);
            }
        }
        return ranks;
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

    private static int scan(long[] ids, int size, long id) {
        for (int rank = 0; rank < size; rank++) {
            if (ids[rank] == id) {
                return rank;
            }
        }
        return -1;
    }

    private static int slotOf(long id, int lastSlot) {
        // Fibonacci hashing: dense ids spread, and the upper half is well mixed.
        return (int) ((id * 0x9E3779B97F4A7C15L) >>> 32) & lastSlot;
    }

    private static int mark(int slot, byte[] bytes, int[] ints) {
        return ints.length == 0 ? bytes[slot] & 0xff : ints[slot];
    }

    private static IllegalArgumentException twice(long id) {
        return new IllegalArgumentException(
                "ranking has item " + Long.toUnsignedString(id) + " twice; allowed: distinct items");
    }

    /** Builds a ranking; for one thread. Not usable after {@link #build}. */
    public static final class RankingBuilder {
        private final long[] ids;
        private final byte[] bytes;
        private final int[] ints;
        private int size;

        private RankingBuilder(int capacity) {
            this.ids = new long[capacity];
            boolean isScanned = capacity <= SCANNED_SIZE;
            boolean isWide = capacity > BYTES_SIZE;
            this.bytes = isScanned || isWide ? NO_BYTES : new byte[tableSize(capacity)];
            this.ints = isWide ? new int[tableSize(capacity)] : NO_INTS;
        }

        public int size() {
            return size;
        }

        /** Adds the next item unless it is present; returns whether it was added. */
        public boolean addIfNew(long id) {
            int last = bytes.length + ints.length - 1;
            if (last < 0) {
                if (scan(ids, size, id) >= 0) {
                    return false;
                }
            } else {
                int slot = slotOf(id, last);
                for (int mark = mark(slot, bytes, ints); mark != 0; mark = mark(slot, bytes, ints)) {
                    if (ids[mark - 1] == id) {
                        return false;
                    }
                    slot = (slot + 1) & last;
                }
                occupy(slot);
            }
            ids[size++] = id;
            return true;
        }

        private void occupy(int slot) {
            if (ints.length == 0) {
                bytes[slot] = (byte) (size + 1);
            } else {
                ints[slot] = size + 1;
            }
        }

        /** The ranking of the items that were added. */
        public Ranking build() {
            if (size == 0) {
                return EMPTY;
            }
            return new Ranking(size == ids.length ? ids : Arrays.copyOf(ids, size), bytes, ints);
        }

        /** Number of slots of a table that is at most half full with {@code size} items. */
        private static int tableSize(int size) {
            return Integer.highestOneBit(size - 1) << 2;
        }
    }
}
