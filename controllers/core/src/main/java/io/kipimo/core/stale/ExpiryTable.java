package io.kipimo.core.stale;

/**
 * Maps the hash of a key to two times: until when caches may hold the key, and until when the key is stale. The table
 * uses open addressing with linear probing over one flat array, with the data of a key side by side. So keys need no
 * objects, and an operation touches one cache line. A slot number is valid until the next {@link #slotOfNew} or
 * {@link #remove}.
 */
final class ExpiryTable {
    /** Hash of a free slot; no key has it. */
    private static final long FREE = 0;

    private static final int FIRST_CAPACITY = 1 << 6;

    /** Longs in a slot: the hash and two times. */
    private static final int WIDTH = 3;

    private static final int CACHED_UNTIL = 1;
    private static final int STALE_UNTIL = 2;

    private long[] slots = new long[FIRST_CAPACITY * WIDTH];
    private int mask = FIRST_CAPACITY - 1;
    private int size;

    int size() {
        return size;
    }

    /** The slot of a key; -1 if the key is absent. */
    int slotOf(long hash) {
        int slot = home(hash);
        while (true) {
            long there = hashAt(slot);
            if (there == hash) {
                return slot;
            }
            if (there == FREE) {
                return -1;
            }
            slot = next(slot);
        }
    }

    /** Allocates a slot for an absent key; its times are 0. */
    int slotOfNew(long hash) {
        if (2 * (size + 1) > capacity()) {
            resize(2 * capacity());
        }
        int slot = freeSlot(hash);
        slots[slot * WIDTH] = hash;
        size++;
        return slot;
    }

    long cachedUntil(int slot) {
        return slots[slot * WIDTH + CACHED_UNTIL];
    }

    void setCachedUntil(int slot, long millis) {
        slots[slot * WIDTH + CACHED_UNTIL] = millis;
    }

    long staleUntil(int slot) {
        return slots[slot * WIDTH + STALE_UNTIL];
    }

    void setStaleUntil(int slot, long millis) {
        slots[slot * WIDTH + STALE_UNTIL] = millis;
    }

    /** Frees a slot and moves entries behind it so that probing still finds them. */
    void remove(int slot) {
        int hole = slot;
        for (int i = next(hole); hashAt(i) != FREE; i = next(i)) {
            int home = home(hashAt(i));
            // Move the entry if the hole is between its home slot and its current slot.
            if ((i - home & mask) >= (i - hole & mask)) {
                System.arraycopy(slots, i * WIDTH, slots, hole * WIDTH, WIDTH);
                hole = i;
            }
        }
        slots[hole * WIDTH] = FREE;
        setCachedUntil(hole, 0);
        setStaleUntil(hole, 0);
        size--;
        if (capacity() > FIRST_CAPACITY && 8 * size < capacity()) {
            resize(capacity() / 2);
        }
    }

    private void resize(int capacity) {
        long[] old = slots;
        slots = new long[Math.multiplyExact(capacity, WIDTH)];
        mask = capacity - 1;
        for (int i = 0; i < old.length; i += WIDTH) {
            if (old[i] != FREE) {
                System.arraycopy(old, i, slots, freeSlot(old[i]) * WIDTH, WIDTH);
            }
        }
    }

    private int freeSlot(long hash) {
        int slot = home(hash);
        while (hashAt(slot) != FREE) {
            slot = next(slot);
        }
        return slot;
    }

    private long hashAt(int slot) {
        return slots[slot * WIDTH];
    }

    private int capacity() {
        return mask + 1;
    }

    private int home(long hash) {
        return (int) (hash >>> 7) & mask;
    }

    private int next(int slot) {
        return slot + 1 & mask;
    }
}
