package io.kipimo.core.ttl;

/**
 * Sliding window for counting writes of a record: the current pane, plus the share of the previous pane that the window
 * still covers. Pure functions.
 *
 * @param windowMillis length of a pane, and of the window
 * @param sampledShare share of the writes that are published, above 0, up to 1
 */
public record WriteWindow(long windowMillis, double sampledShare) {
    private static final double MILLIS_PER_SECOND = 1000;

    /** @throws IllegalArgumentException if a value is out of range */
    public WriteWindow {
        if (windowMillis < 1) {
            throw new IllegalArgumentException("window is " + windowMillis + " ms; allowed: at least 1");
        }
        if (!(sampledShare > 0 && sampledShare <= 1)) {
            throw new IllegalArgumentException("sampled share is " + sampledShare + "; allowed: above 0, up to 1");
        }
    }

    /** Counts a write. A write that is two panes late is ignored. */
    public WriteCount wrote(WriteCount before, long atMillis) {
        long pane = pane(atMillis);
        if (pane > before.pane()) {
            return new WriteCount(pane, 1, pane == before.pane() + 1 ? before.current() : 0);
        }
        return switch ((int) Math.min(2, before.pane() - pane)) {
            case 0 -> new WriteCount(pane, before.current() + 1, before.previous());
            case 1 -> new WriteCount(before.pane(), before.current(), before.previous() + 1);
            default -> before;
        };
    }

    /**
     * Writes of a record a second, over the window.
     *
     * @param startedAtMillis start of the observation; earlier writes are not known
     */
    public double perSecond(WriteCount count, long nowMillis, long startedAtMillis) {
        long pane = pane(nowMillis);
        long current = count.pane() == pane ? count.current() : 0;
        long previous = count.pane() == pane ? count.previous() : count.pane() == pane - 1 ? count.current() : 0;
        double intoPane = (double) Math.floorMod(nowMillis, windowMillis) / windowMillis;
        double writes = current + previous * (1 - intoPane);
        // Before the first observation the window has no writes, so only the time since then
        // counts.
        long covered = Math.min(windowMillis, Math.max(1, nowMillis - startedAtMillis));
        return writes / sampledShare / covered * MILLIS_PER_SECOND;
    }

    /** Whether the window no longer covers any of the writes. */
    public boolean isOver(WriteCount count, long nowMillis) {
        return count.pane() < pane(nowMillis) - 1;
    }

    long pane(long millis) {
        return Math.floorDiv(millis, windowMillis);
    }
}
