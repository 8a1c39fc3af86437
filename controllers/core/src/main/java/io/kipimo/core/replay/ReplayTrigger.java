package io.kipimo.core.replay;

/** Whether the first query of the queue is replayed now, and why. */
public enum ReplayTrigger {
    /** Not now. */
    WAIT(false),
    /** Else what is queued would not be through when it expires. */
    EXPIRING(true),
    /** Nobody is being served, and the next query is likely to come after the replay. */
    IDLE(true),
    /** Fewer queries are being served than in three quarters of the time. */
    SHORT_QUEUE(true);

    private final boolean replays;

    ReplayTrigger(boolean replays) {
        this.replays = replays;
    }

    public boolean replays() {
        return replays;
    }
}
