package io.kipimo.core.sampling;

/**
 * Starts replays at moments of low load, but before they expire (Ubora, sec. 6.4). The time to clear the queue is its
 * length times the mean execution time. If this time reaches the rest of the expiration window, a replay starts at
 * once. Otherwise a replay starts in two cases. Either no online query is outstanding and the mean inter-arrival time
 * exceeds the time of a replay, or the number of outstanding queries is below its recent 25th percentile.
 */
public final class ReplaySchedule {
    private ReplaySchedule() {}

    /** Decides whether the first query of the queue is replayed now, and why. */
    public static ReplayTrigger decide(ReplayLoad load, long nowMillis) {
        if (load.queued() == 0) {
            return ReplayTrigger.WAIT;
        }
        double clearingMillis = load.queued() * load.executionMillis();
        if (clearingMillis >= load.firstExpiresMillis() - nowMillis) {
            return ReplayTrigger.EXPIRING;
        }
        if (load.outstanding() == 0 && load.interarrivalMillis() > load.executionMillis()) {
            return ReplayTrigger.IDLE;
        }
        return load.outstanding() < load.lowerQuartile() ? ReplayTrigger.SHORT_QUEUE : ReplayTrigger.WAIT;
    }
}
