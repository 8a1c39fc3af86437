package io.kipimo.core.replay;

/**
 * What there is to replay, and what else is going on.
 *
 * @param queued queries that wait for their replay
 * @param firstExpiresMillis when the first of them is of no use any more, epoch milliseconds
 * @param executionMillis mean time of an execution, which a replay takes too; 0: not known
 * @param interarrivalMillis mean time between online queries; infinite when none comes
 * @param outstanding online queries that are being served
 * @param lowerQuartile of the number outstanding lately; 0: not known
 */
public record ReplayLoad(
        int queued,
        long firstExpiresMillis,
        double executionMillis,
        double interarrivalMillis,
        int outstanding,
        double lowerQuartile) {
    /**
     * @throws IllegalArgumentException if a figure is negative or not a number
     */
    public ReplayLoad {
        if (queued < 0 || outstanding < 0) {
            throw new IllegalArgumentException(
                    "queued is "
                            + queued
                            + ", outstanding is "
                            + outstanding
                            + "; allowed: 0 or more");
        }
        if (!(executionMillis >= 0 && interarrivalMillis >= 0 && lowerQuartile >= 0)) {
            throw new IllegalArgumentException(
                    "execution "
                            + executionMillis
                            + " ms, inter-arrival "
                            + interarrivalMillis
                            + " ms, lower quartile "
                            + lowerQuartile
                            + "; allowed: 0 or more");
        }
    }
}
