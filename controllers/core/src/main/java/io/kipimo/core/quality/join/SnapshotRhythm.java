package io.kipimo.core.quality.join;

/**
 * When a store is stored next, foreseen from the plan, then from the last two times. Changes may gather in the first
 * half of an interval and are written down towards its end, so that a snapshot still finds few of them.
 *
 * @param lastMillis time of the last snapshot or, before the first one, of the start
 * @param intervalMillis between the last two, or as planned; 0: unknown
 */
public record SnapshotRhythm(long lastMillis, long intervalMillis) {
    /** Shares of the interval after which changes are written down, and after which few are left. */
    private static final double GATHERED = 0.75;

    private static final double WRITTEN = 0.95;

    /** The rhythm after a snapshot. */
    public SnapshotRhythm after(long nowMillis) {
        return new SnapshotRhythm(nowMillis, Math.max(0, nowMillis - lastMillis));
    }

    /**
     * Limit of changes that need not be written yet.
     *
     * @param least as many while no snapshot can be foreseen, or one is due
     * @param most as many while the next one is far
     */
    public int changes(long nowMillis, int least, int most) {
        if (intervalMillis == 0) {
            return least;
        }
        double passed = (double) (nowMillis - lastMillis) / intervalMillis;
        double gathering = Math.min(1, Math.max(0, (WRITTEN - passed) / (WRITTEN - GATHERED)));
        return least + (int) (gathering * Math.max(0, most - least));
    }
}
