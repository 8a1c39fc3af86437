package io.kipimo.core.stale;

import java.util.ArrayList;
import java.util.List;

/**
 * Keys that became stale lately, in nested windows of time. They tell a client how new a copy of a stale key must be. A
 * copy that was evaluated after the key's last change is fresh, even though the filter holds the key until earlier
 * copies have expired. So such a copy may come from any cache, even if purges were lost or answers overtook them.
 *
 * <p>Windows and times of evaluation are epoch milliseconds of clocks that agree within {@link #CLOCK_ERROR_MILLIS}.
 *
 * @param windows the newest first; empty: nothing is known
 */
public record RecentKeys(List<KeysWindow> windows) {
    /** Nothing is known: no copy of a stale key is proven fresh. */
    public static final RecentKeys NONE = new RecentKeys(List.of());

    /** Greatest difference of the clocks of origins, of the job that marks keys, and of filters. */
    public static final long CLOCK_ERROR_MILLIS = 100;

    /**
     * Lengths of the windows, milliseconds. Each window covers the last one to two of its lengths. So a stale key's
     * copy in a shared cache is renewed when the key's age passes each of these lengths, and then once in the longest
     * of them.
     */
    private static final long[] LENGTHS_MILLIS = {250, 1_000, 4_000, 16_000, 64_000};

    /** @param sinceMillis every key that was invalidated at this time or later is inside */
    public record KeysWindow(long sinceMillis, FlatFilter keys) {}

    public RecentKeys {
        windows = List.copyOf(windows);
    }

    /**
     * The earliest time of evaluation, epoch milliseconds, that proves a copy of the key fresh; the largest long if
     * none does.
     *
     * @param hash {@link KeyHash#of}
     */
    public long provenSinceMillis(long hash) {
        long since = Long.MAX_VALUE;
        for (KeysWindow window : windows) {
            if (window.keys().mightContain(hash)) {
                break;
            }
            since = window.sinceMillis();
        }
        return since == Long.MAX_VALUE ? since : since + CLOCK_ERROR_MILLIS;
    }

    /** Returns windows with the keys of both. Windows that only one of them has are left out. */
    public RecentKeys union(RecentKeys other) {
        List<KeysWindow> both = new ArrayList<>();
        for (KeysWindow one : windows) {
            for (KeysWindow two : other.windows) {
                if (one.sinceMillis() == two.sinceMillis()) {
                    both.add(new KeysWindow(one.sinceMillis(), one.keys().union(two.keys())));
                }
            }
        }
        return new RecentKeys(both);
    }

    /** Number of windows with keys. */
    public static int levels() {
        return LENGTHS_MILLIS.length;
    }

    /** Length of a window's bucket, milliseconds. */
    public static long lengthMillis(int level) {
        return LENGTHS_MILLIS[level];
    }

    /** Number of the bucket for keys that are invalidated now. */
    public static long bucket(int level, long nowMillis) {
        return Math.floorDiv(nowMillis, LENGTHS_MILLIS[level]);
    }

    /** Finds the keys of a bucket. */
    @FunctionalInterface
    public interface Buckets {
        FlatFilter keys(int level, long bucket);
    }

    /**
     * The windows that end now. Each level has three: the current bucket, the one before, and the one after, for
     * writers whose clocks are ahead. Keys that are invalidated at this moment are in none of these windows. So a
     * window without keys comes first.
     */
    public static RecentKeys of(FilterShape shape, long nowMillis, Buckets buckets) {
        List<KeysWindow> windows = new ArrayList<>();
        windows.add(new KeysWindow(nowMillis, FlatFilter.empty(shape)));
        for (int level = 0; level < levels(); level++) {
            long current = bucket(level, nowMillis);
            FlatFilter keys = FlatFilter.union(
                    shape,
                    List.of(
                            buckets.keys(level, current - 1),
                            buckets.keys(level, current),
                            buckets.keys(level, current + 1)));
            windows.add(new KeysWindow((current - 1) * LENGTHS_MILLIS[level], keys));
        }
        return new RecentKeys(windows);
    }
}
