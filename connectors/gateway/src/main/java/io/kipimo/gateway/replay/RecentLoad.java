package io.kipimo.gateway.replay;

import java.util.Arrays;

/** Recent load of online queries. Not thread-safe. */
final class RecentLoad {
    private static final int LOOKS = 1_000;
    private static final int LOOKS_A_QUARTILE = 100;

    /** Weight of the newest value in a moving average. */
    private static final double WEIGHT = 0.1;

    private final int[] outstanding = new int[LOOKS];
    private int looks;
    private double lowerQuartile;
    private double executionMillis;
    private double replayMillis;
    private double interarrivalMillis = Double.POSITIVE_INFINITY;
    private long arrivals;
    private long arrivalsMillis;

    /** Records the execution time of a query. */
    void executed(double millis) {
        executionMillis = mean(executionMillis, millis);
    }

    /** Records the execution time of a replay. */
    void replayed(double millis) {
        replayMillis = mean(replayMillis, millis);
    }

    private static double mean(double before, double newest) {
        return before == 0 ? newest : before + WEIGHT * (newest - before);
    }

    /**
     * Records the number of queries.
     *
     * @param arrived number of queries since the start
     */
    void observe(int nowOutstanding, long arrived, long nowMillis) {
        outstanding[looks++ % LOOKS] = nowOutstanding;
        if (looks % LOOKS_A_QUARTILE == 0) {
            int[] sorted = Arrays.copyOf(outstanding, Math.min(looks, LOOKS));
            Arrays.sort(sorted);
            lowerQuartile = sorted[sorted.length / 4];
        }
        // Long enough for a mean, short enough for a spike.
        if (nowMillis - arrivalsMillis >= 1_000) {
            interarrivalMillis = arrived == arrivals
                    ? Double.POSITIVE_INFINITY
                    : (double) (nowMillis - arrivalsMillis) / (arrived - arrivals);
            arrivals = arrived;
            arrivalsMillis = nowMillis;
        }
    }

    /**
     * Mean time of queries or of replays, whichever is longer, milliseconds. A replay without limits takes longer than
     * its query.
     */
    double executionMillis() {
        return Math.max(executionMillis, replayMillis);
    }

    double interarrivalMillis() {
        return interarrivalMillis;
    }

    double lowerQuartile() {
        return lowerQuartile;
    }
}
