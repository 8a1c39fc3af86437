package io.kipimo.core.replay;

/**
 * Replays wait for a moment in which they are in nobody's way, and no longer than they are of use
 * (Ubora, sec. 6.4): the time to clear the queue is its length times the mean execution time; when
 * it exceeds what is left of the expiration window, a replay starts at once. Else one starts when
 * no online query is outstanding and the mean inter-arrival time exceeds the time of a replay; or
 * when the number outstanding is below the 25th percentile of what it was lately.
 */
public final class ReplaySchedule {
    private ReplaySchedule() {}

    /** Whether the first of the queue is replayed now. */
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
        return load.outstanding() < load.lowerQuartile()
                ? ReplayTrigger.SHORT_QUEUE
                : ReplayTrigger.WAIT;
    }
}
