package io.kipimo.core.stale;

import java.util.Arrays;

/**
 * Keys by the second in which they are due: a hashed timing wheel (Varghese and Lauck, "Hashed and Hierarchical Timing
 * Wheels", SOSP 1987, scheme 6). A key that is due later than one turn of the wheel is returned once a turn, and the
 * caller adds it again. Times that decrease count as the latest time.
 */
final class TimingWheel {
    private static final long GRAIN_MILLIS = 1000;

    /**
     * Limit of the seconds in one turn of the wheel: more than an hour. A wheel of a day would be larger than a small
     * filter.
     */
    private static final int MOST_SECONDS = 1 << 12;

    private static final long[] NOTHING = {};

    private final long[][] hashes;
    private final int[] sizes;

    /** The last second that was processed. */
    private long second = Long.MIN_VALUE;

    private long dueMillis = Long.MIN_VALUE;

    /** @param longestMillis usual longest time until a key is due */
    TimingWheel(long longestMillis) {
        long seconds = Math.max(2, Math.min(MOST_SECONDS, longestMillis / GRAIN_MILLIS + 2));
        int round = Integer.highestOneBit((int) seconds - 1) << 1;
        hashes = new long[round][];
        Arrays.fill(hashes, NOTHING);
        sizes = new int[round];
    }

    /** Whether a finished second may have due keys. */
    boolean isDue(long nowMillis) {
        return nowMillis >= dueMillis;
    }

    /** Removes and returns the keys of the next finished second. */
    long[] next(long nowMillis) {
        long last = Math.floorDiv(nowMillis, GRAIN_MILLIS);
        // Older seconds have no keys, and the wheel has one entry for each second of a turn.
        second = Math.max(second + 1, last - hashes.length + 1);
        dueMillis = (second + 1) * GRAIN_MILLIS;
        int place = place(second);
        long[] due = Arrays.copyOf(hashes[place], sizes[place]);
        hashes[place] = NOTHING;
        sizes[place] = 0;
        return due;
    }

    /** Adds a key for the first second that begins at or after {@code millis}. */
    void add(long hash, long millis) {
        long wanted = Math.floorDiv(millis + GRAIN_MILLIS - 1, GRAIN_MILLIS);
        int place = place(Math.max(second + 1, Math.min(second + hashes.length, wanted)));
        if (sizes[place] == hashes[place].length) {
            hashes[place] = Arrays.copyOf(hashes[place], Math.max(8, 2 * sizes[place]));
        }
        hashes[place][sizes[place]++] = hash;
    }

    private int place(long of) {
        return (int) of & hashes.length - 1;
    }
}
