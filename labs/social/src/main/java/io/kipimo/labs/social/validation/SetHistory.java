package io.kipimo.labs.social.validation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One set: its contents after all forgotten writes, and the later writes. */
final class SetHistory {
    private final SetId id;
    private long[] base;
    private final List<Write> writes = new ArrayList<>();

    SetHistory(SetId id, long[] initial) {
        this.id = id;
        this.base = initial;
    }

    /** Writes after the base, in order of their beginning. */
    List<Write> writes() {
        return writes;
    }

    void add(Write write) {
        writes.add(write);
    }

    /** Applies a write to the base; writes of one element are applied in order. */
    void fold(Write write) {
        writes.remove(write);
        base = apply(base, write);
    }

    /** Contents after all writes that had ended before a time. Writes of one element are applied in order. */
    long[] before(long time) {
        long[] set = base;
        for (Write write : writes) {
            if (write.end < time) {
                set = apply(set, write);
            }
        }
        return set;
    }

    /** Applies the changes of a write to a set. Input and result are ascending; the input array is not modified. */
    long[] apply(long[] set, Write write) {
        long[] result = set;
        for (Change change : write.changes) {
            if (change.set().equals(id)) {
                result = change.add() ? with(result, change.element()) : without(result, change);
            }
        }
        return result;
    }

    private static long[] with(long[] set, long element) {
        int at = Arrays.binarySearch(set, element);
        if (at >= 0) {
            return set;
        }
        long[] result = Arrays.copyOf(set, set.length + 1);
        int place = -at - 1;
        System.arraycopy(set, place, result, place + 1, set.length - place);
        result[place] = element;
        return result;
    }

    private static long[] without(long[] set, Change change) {
        int at = Arrays.binarySearch(set, change.element());
        if (at < 0) {
            return set;
        }
        long[] result = Arrays.copyOf(set, set.length - 1);
        System.arraycopy(set, at + 1, result, at, result.length - at);
        return result;
    }
}
