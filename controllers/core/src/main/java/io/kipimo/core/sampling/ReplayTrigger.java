package io.kipimo.core.sampling;

/** Decision whether the first query of the queue is replayed now, with its reason. */
public enum ReplayTrigger {
    /** No replay now. */
    WAIT(false),
    /** The queue would otherwise expire before it is cleared. */
    EXPIRING(true),
    /** No query is in progress, and the next one will probably arrive after the replay. */
    IDLE(true),
    /** Fewer queries are in progress than the recent 25th percentile. */
    SHORT_QUEUE(true);

    private final boolean replays;

    ReplayTrigger(boolean replays) {
        this.replays = replays;
    }

    public boolean replays() {
        return replays;
    }
}
