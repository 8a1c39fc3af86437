package io.kipimo.core.ttl;

import java.util.HashMap;
import java.util.Map;

/**
 * Write rates of records over a {@link WriteWindow}. Records without a write for two panes are removed. Mutable, for
 * one thread.
 */
public final class WriteRates {
    private final WriteWindow window;
    private final long startedAtMillis;
    private final Map<String, WriteCount> records = new HashMap<>();
    private long cleanedPane;

    /**
     * @param windowMillis length of the window
     * @param sampledShare share of the writes that are published, above 0, up to 1
     * @param nowMillis present time; earlier writes were not observed
     * @throws IllegalArgumentException if a value is out of range
     */
    public WriteRates(long windowMillis, double sampledShare, long nowMillis) {
        this.window = new WriteWindow(windowMillis, sampledShare);
        this.startedAtMillis = nowMillis;
    }

    /** Counts a write of a record. */
    public void wrote(String key, long nowMillis) {
        forgetBefore(nowMillis);
        records.put(key, window.wrote(records.getOrDefault(key, WriteCount.NONE), nowMillis));
    }

    /** Writes a second of one record. */
    public double perSecond(String key, long nowMillis) {
        WriteCount count = records.get(key);
        return count == null ? 0 : window.perSecond(count, nowMillis, startedAtMillis);
    }

    /** Sum of the rates of the records of a result. */
    public double perSecond(Iterable<String> keys, long nowMillis) {
        double sum = 0;
        for (String key : keys) {
            sum += perSecond(key, nowMillis);
        }
        return sum;
    }

    /** Number of records kept. */
    public int size() {
        return records.size();
    }

    private void forgetBefore(long nowMillis) {
        long pane = window.pane(nowMillis);
        if (pane > cleanedPane) {
            cleanedPane = pane;
            records.values().removeIf(count -> window.isOver(count, nowMillis));
        }
    }
}
