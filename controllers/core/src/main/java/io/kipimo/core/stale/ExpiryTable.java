package io.kipimo.core.stale;

/**
 * Keys' times by their hashes: until when caches may hold a key, and until when it is stale. Open
 * addressing with linear probing over flat arrays: millions of keys are no objects. A slot is known
 * by its number until the next {@link #slotOfNew} or {@link #remove}.
 */
final class ExpiryTable {
    /** Hash of a free slot; no key has it. */
    private static final long FREE = 0;

    private static final int FIRST_CAPACITY = 1 << 6;

    private long[] hashes = new long[FIRST_CAPACITY];
    private long[] cachedUntil = new long[FIRST_CAPACITY];
    private long[] staleUntil = new long[FIRST_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    /** The slot of a key; -1 if it is not there. */
    int slotOf(long hash) {
        for (int slot = home(hash); hashes[slot] != FREE; slot = next(slot)) {
            if (hashes[slot] == hash) {
                return slot;
            }
        }
        return -1;
    }

    /** A slot for a key that has none; its times are 0. */
    int slotOfNew(long hash) {
        if (2 * (size + 1) > hashes.length) {
            resize(2 * hashes.length);
        }
        int slot = freeSlot(hash);
        hashes[slot] = hash;
        size++;
        return slot;
    }

    long cachedUntil(int slot) {
        return cachedUntil[slot];
    }

    void setCachedUntil(int slot, long millis) {
        cachedUntil[slot] = millis;
    }

    long staleUntil(int slot) {
        return staleUntil[slot];
    }

    void setStaleUntil(int slot, long millis) {
        staleUntil[slot] = millis;
    }

    /** Frees a slot, and moves those behind it to where they are found. */
    void remove(int slot) {
        int hole = slot;
        for (int i = next(hole); hashes[i] != FREE; i = next(i)) {
            int home = home(hashes[i]);
            // Whether the hole lies on the way from where it belongs to where it is.
            if ((i - home & mask()) >= (i - hole & mask())) {
                move(i, hole);
                hole = i;
            }
        }
        hashes[hole] = FREE;
        cachedUntil[hole] = 0;
        staleUntil[hole] = 0;
        size--;
        if (hashes.length > FIRST_CAPACITY && 8 * size < hashes.length) {
            resize(hashes.length / 2);
        }
    }

    private void move(int from, int to) {
        hashes[to] = hashes[from];
        cachedUntil[to] = cachedUntil[from];
        staleUntil[to] = staleUntil[from];
    }

    private void resize(int capacity) {
        long[] oldHashes = hashes;
        long[] oldCached = cachedUntil;
        long[] oldStale = staleUntil;
        hashes = new long[capacity];
        cachedUntil = new long[capacity];
        staleUntil = new long[capacity];
        for (int i = 0; i < oldHashes.length; i++) {
            if (oldHashes[i] != FREE) {
                int slot = freeSlot(oldHashes[i]);
                hashes[slot] = oldHashes[i];
                cachedUntil[slot] = oldCached[i];
                staleUntil[slot] = oldStale[i];
            }
        }
    }

    private int freeSlot(long hash) {
        int slot = home(hash);
        while (hashes[slot] != FREE) {
            slot = next(slot);
        }
        return slot;
    }

    private int home(long hash) {
        return (int) (hash >>> 7) & mask();
    }

    private int next(int slot) {
        return slot + 1 & mask();
    }

    private int mask() {
        return hashes.length - 1;
    }
}
