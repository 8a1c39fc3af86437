package io.kipimo.core.ttl;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * How often each record is written, over a sliding window: the current pane, and of the one before
 * it the share that the window still covers. Records that were not written for two panes are let
 * go. Mutable, for one thread.
 */
public final class WriteRates {
    private static final double MILLIS_PER_SECOND = 1000;

    private static final class Panes {
        long pane;
        long current;
        long previous;

        void moveTo(long now) {
            if (now != pane) {
                previous = now == pane + 1 ? current : 0;
                current = 0;
                pane = now;
            }
        }
    }

    private final long windowMillis;
    private final double sampledShare;
    private final long startedAtMillis;
    private final Map<String, Panes> records = new HashMap<>();
    private long cleanedPane;

    /**
     * @param windowMillis over which writes are counted
     * @param sampledShare of the writes that are told, above 0, up to 1
     * @param nowMillis writes before this were not told
     * @throws IllegalArgumentException if a value is out of range
     */
    public WriteRates(long windowMillis, double sampledShare, long nowMillis) {
        if (windowMillis < 1) {
            throw new IllegalArgumentException(
                    "window is " + windowMillis + " ms; allowed: at least 1");
        }
        if (!(sampledShare > 0 && sampledShare <= 1)) {
            throw new IllegalArgumentException(
                    "sampled share is " + sampledShare + "; allowed: above 0, up to 1");
        }
        this.windowMillis = windowMillis;
        this.sampledShare = sampledShare;
        this.startedAtMillis = nowMillis;
    }

    /** A record was written. */
    public void wrote(String key, long nowMillis) {
        long pane = pane(nowMillis);
        forgetBefore(pane);
        Panes counts = records.computeIfAbsent(key, k -> new Panes());
        counts.moveTo(pane);
        counts.current++;
    }

    /** Writes a second of one record. */
    public double perSecond(String key, long nowMillis) {
        Panes counts = records.get(key);
        if (counts == null) {
            return 0;
        }
        long pane = pane(nowMillis);
        long current = counts.pane == pane ? counts.current : 0;
        long previous =
                counts.pane == pane
                        ? counts.previous
                        : counts.pane == pane - 1 ? counts.current : 0;
        double intoPane = (double) Math.floorMod(nowMillis, windowMillis) / windowMillis;
        double writes = current + previous * (1 - intoPane);
        // A window that began before anything was told is not full yet.
        long covered = Math.min(windowMillis, Math.max(1, nowMillis - startedAtMillis));
        return writes / sampledShare / covered * MILLIS_PER_SECOND;
    }

    /** Sum of the rates of the records of a result. */
    public double perSecond(Iterable<String> keys, long nowMillis) {
        double sum = 0;
        for (String key : keys) {
            sum += perSecond(key, nowMillis);
        }
        return sum;
    }

    /** Records that are kept. */
    public int size() {
        return records.size();
    }

    private void forgetBefore(long pane) {
        if (pane <= cleanedPane) {
            return;
        }
        cleanedPane = pane;
        for (Iterator<Panes> all = records.values().iterator(); all.hasNext(); ) {
            if (all.next().pane < pane - 1) {
                all.remove();
            }
        }
    }

    private long pane(long millis) {
        return Math.floorDiv(millis, windowMillis);
    }
}
