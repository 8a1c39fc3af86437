package io.kipimo.core.stale;

import java.util.Arrays;

/**
 * Keys by the second in which they are to be looked at: a hashed timing wheel (Varghese and Lauck,
 * "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 6). A key that is due further ahead
 * than the wheel is round comes once a turn until it is due; who gets it adds it again. Times that
 * go back are taken for the latest.
 */
final class TimingWheel {
    private static final long GRAIN_MILLIS = 1000;

    /** More than an hour; a wheel that has a day's seconds would be most of a small filter. */
    private static final int MOST_SECONDS = 1 << 12;

    private static final long[] NOTHING = {};

    private final long[][] hashes;
    private final int[] sizes;

    /** Up to and with this second all was looked at. */
    private long second = Long.MIN_VALUE;

    private long dueMillis = Long.MIN_VALUE;

    /**
     * @param longestMillis that a key waits for, mostly
     */
    TimingWheel(long longestMillis) {
        long seconds = Math.max(2, Math.min(MOST_SECONDS, longestMillis / GRAIN_MILLIS + 2));
        int round = Integer.highestOneBit((int) seconds - 1) << 1;
        hashes = new long[round][];
        Arrays.fill(hashes, NOTHING);
        sizes = new int[round];
    }

    /** Whether a second is over in which keys may be due. */
    boolean isDue(long nowMillis) {
        return nowMillis >= dueMillis;
    }

    /** The keys of the next second that is over; they are on the wheel no more. */
    long[] next(long nowMillis) {
        long last = Math.floorDiv(nowMillis, GRAIN_MILLIS);
        // Nothing was added before the first time that is known, and no second is further away
        // than once round.
        second = Math.max(second + 1, last - hashes.length + 1);
        dueMillis = (second + 1) * GRAIN_MILLIS;
        int place = place(second);
        long[] due = Arrays.copyOf(hashes[place], sizes[place]);
        hashes[place] = NOTHING;
        sizes[place] = 0;
        return due;
    }

    /** To be looked at in the first second that begins at or after this time. */
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
