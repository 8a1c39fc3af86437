package io.kipimo.core.ttl;

/**
 * The sliding window over which writes of a record are counted: the current pane, and of the one
 * before it the share that the window still covers. Pure.
 *
 * @param windowMillis length of a pane, and of the window
 * @param sampledShare of the writes that are published, above 0, up to 1
 */
public record WriteWindow(long windowMillis, double sampledShare) {
    private static final double MILLIS_PER_SECOND = 1000;

    /**
     * @throws IllegalArgumentException if a value is out of range
     */
    public WriteWindow {
        if (windowMillis < 1) {
            throw new IllegalArgumentException(
                    "window is " + windowMillis + " ms; allowed: at least 1");
        }
        if (!(sampledShare > 0 && sampledShare <= 1)) {
            throw new IllegalArgumentException(
                    "sampled share is " + sampledShare + "; allowed: above 0, up to 1");
        }
    }

    /** The record was written; a write that comes two panes late is not counted. */
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
     * Writes a second.
     *
     * @param startedAtMillis writes before this were not observed
     */
    public double perSecond(WriteCount count, long nowMillis, long startedAtMillis) {
        long pane = pane(nowMillis);
        long current = count.pane() == pane ? count.current() : 0;
        long previous =
                count.pane() == pane
                        ? count.previous()
                        : count.pane() == pane - 1 ? count.current() : 0;
        double intoPane = (double) Math.floorMod(nowMillis, windowMillis) / windowMillis;
        double writes = current + previous * (1 - intoPane);
        // A window that began before the first observation is not full yet.
        long covered = Math.min(windowMillis, Math.max(1, nowMillis - startedAtMillis));
        return writes / sampledShare / covered * MILLIS_PER_SECOND;
    }

    /** Whether the window covers none of the writes any more. */
    public boolean isOver(WriteCount count, long nowMillis) {
        return count.pane() < pane(nowMillis) - 1;
    }

    long pane(long millis) {
        return Math.floorDiv(millis, windowMillis);
    }
}
