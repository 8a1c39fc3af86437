package io.kipimo.gateway.replay;

/**
 * Time that replays may take: a share of the time that queries take. At most one replay begins
 * without knowing how long it takes, so the share is exceeded by one replay at most. Not
 * thread-safe.
 */
public final class ExtraLoad {
    private final double share;
    private long queryMicros;
    private long replayMicros;

    /**
     * Both since the start, microseconds.
     *
     * @param queryMicros of queries
     * @param replayMicros of their replays
     */
    public record Spent(long queryMicros, long replayMicros) {}

    /**
     * @param share 0..1
     */
    ExtraLoad(double share) {
        this.share = share;
    }

    void earn(long micros) {
        queryMicros += micros;
    }

    void spend(long micros) {
        replayMicros += micros;
    }

    /** Whether a replay may begin. */
    boolean isLeft() {
        return replayMicros < share * queryMicros;
    }

    Spent spent() {
        return new Spent(queryMicros, replayMicros);
    }
}
