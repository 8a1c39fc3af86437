package io.kipimo.core.invalidation.filter;

import java.util.Arrays;

/** A list of the numbers of filters. Each number occurs once; the order is arbitrary. */
final class SlotList {
    private int[] slots = new int[1];
    private int size;
    private long pass;

    /** Whether this is the first call with the number of this pass; passes are numbered from 1. */
    boolean isFirstIn(long nextPass) {
        boolean isFirst = pass != nextPass;
        pass = nextPass;
        return isFirst;
    }

    int size() {
        return size;
    }

    int get(int index) {
        return slots[index];
    }

    void add(int slot) {
        if (size == slots.length) {
            slots = Arrays.copyOf(slots, size + (size >> 1) + 1);
        }
        slots[size++] = slot;
    }

    void remove(int slot) {
        for (int i = 0; i < size; i++) {
            if (slots[i] == slot) {
                slots[i] = slots[--size];
                return;
            }
        }
        throw new IllegalStateException("filter " + slot + " is not in the list");
    }

    void clear() {
        size = 0;
    }
}
