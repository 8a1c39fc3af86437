package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.filter.Document;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** State of a record in a {@link MatchingCell}: its last version, and the queries whose results hold the record. */
final class RecordState {
    /** Returned by {@link #reflected(int)} if a query's result reflects the cell's version of the record. */
    static final long SEEN = Long.MIN_VALUE;

    private static final int[] NO_SLOTS = {};

    long version = Long.MIN_VALUE;
    long writtenAtMillis = Long.MIN_VALUE;
    // Whether the last write can still be replayed; the image is kept only then.
    boolean isRecent;
    Document image;
    private int[] slots = NO_SLOTS;
    // Null while every query reflects the cell's version, which is the usual case.
    private long[] reflected;

    int holders() {
        return slots.length;
    }

    int holder(int index) {
        return slots[index];
    }

    /** The record's version that the query's result reflects, if it is newer than the cell's; else {@link #SEEN}. */
    long reflected(int index) {
        return reflected == null ? SEEN : reflected[index];
    }

    boolean isHeldByNone() {
        return slots.length == 0;
    }

    boolean isHeldBy(int slot) {
        for (int each : slots) {
            if (each == slot) {
                return true;
            }
        }
        return false;
    }

    boolean isForgettable() {
        return !isRecent && slots.length == 0;
    }

    void hold(int slot, long reflects) {
        Holders holders = new Holders(slots.length + 1);
        for (int i = 0; i < slots.length; i++) {
            holders.add(slots[i], reflected(i));
        }
        holders.add(slot, reflects);
        hold(holders);
    }

    void hold(Holders holders) {
        slots = holders.size == 0 ? NO_SLOTS : Arrays.copyOf(holders.slots, holders.size);
        reflected = holders.reflected == null ? null : Arrays.copyOf(holders.reflected, holders.size);
    }

    void retain(IntPredicate lives) {
        Holders holders = new Holders(slots.length);
        for (int i = 0; i < slots.length; i++) {
            if (lives.test(slots[i])) {
                holders.add(slots[i], reflected(i));
            }
        }
        hold(holders);
    }

    /** Collects the queries whose results hold a record. */
    static final class Holders {
        private int[] slots;
        private long[] reflected;
        private int size;

        Holders(int expected) {
            slots = new int[Math.max(1, expected)];
        }

        void add(int slot, long reflects) {
            if (size == slots.length) {
                slots = Arrays.copyOf(slots, size * 2);
                reflected = reflected == null ? null : Arrays.copyOf(reflected, size * 2);
            }
            if (reflects != SEEN && reflected == null) {
                reflected = new long[slots.length];
                Arrays.fill(reflected, SEEN);
            }
            slots[size] = slot;
            if (reflected != null) {
                reflected[size] = reflects;
            }
            size++;
        }
    }
}
