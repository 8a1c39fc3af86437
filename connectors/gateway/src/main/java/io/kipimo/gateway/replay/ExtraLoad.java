package io.kipimo.gateway.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * Limits the time of replays to a share of the time of queries. A running replay counts with its time so far, or with
 * the mean time of replays if that is longer. The replay that would begin next also counts with the mean. Before the
 * first replay has ended, the mean is that of queries. So only the first replay, and replays that take longer than the
 * mean, exceed the share. Not thread-safe.
 */
public final class ExtraLoad {
    /** Weight of the newest replay in the mean. */
    private static final double WEIGHT = 0.1;

    private final double share;

    /** Starts, nanoseconds of a monotonic clock. */
    private final List<Long> running = new ArrayList<>();

    private long queries;
    private long queryMicros;
    private long replayMicros;
    private double meanMicros;

    /**
     * Time spent since the start, microseconds.
     *
     * @param queryMicros by queries
     * @param replayMicros by their replays that have ended
     */
    public record SpentTime(long queryMicros, long replayMicros) {}

    /** @param share 0..1 */
    ExtraLoad(double share) {
        this.share = share;
    }

    void earn(long micros) {
        queries++;
        queryMicros += micros;
    }

    /** Notes that a replay begins. */
    void begin(long nowNanos) {
        running.add(nowNanos);
    }

    /**
     * Notes that a replay has ended, with or without an answer.
     *
     * @param beganNanos as given to {@link #begin}
     */
    void end(long beganNanos, long nowNanos) {
        running.remove(Long.valueOf(beganNanos));
        long micros = (nowNanos - beganNanos) / 1_000;
        replayMicros += micros;
        meanMicros = meanMicros == 0 ? micros : meanMicros + WEIGHT * (micros - meanMicros);
    }

    /**
     * Whether the budget has room for another replay. The first one may begin once a query was answered, so that
     * measuring starts early. With a share of 0 there is never room.
     */
    boolean isLeft(long nowNanos) {
        double mean = meanMicros == 0 && queries > 0 ? (double) queryMicros / queries : meanMicros;
        double micros = replayMicros;
        for (long beganNanos : running) {
            micros += Math.max((nowNanos - beganNanos) / 1e3, mean);
        }
        return queries > 0 && share > 0 && (micros == 0 || micros + mean <= share * queryMicros);
    }

    SpentTime spent() {
        return new SpentTime(queryMicros, replayMicros);
    }
}
