package io.kipimo.core.sampling;

/**
 * Queue of replays and load of the service.
 *
 * @param queued queries that wait for a replay
 * @param firstExpiresMillis when the expiration window of the first of them ends, epoch milliseconds
 * @param executionMillis mean execution time of queries and replays; 0: not known
 * @param interarrivalMillis mean time between online queries; infinite without any
 * @param outstanding online queries in progress
 * @param lowerQuartile 25th percentile of the recent numbers outstanding; 0: not known
 */
public record ReplayLoad(
        int queued,
        long firstExpiresMillis,
        double executionMillis,
        double interarrivalMillis,
        int outstanding,
        double lowerQuartile) {
    /** @throws IllegalArgumentException if a figure is negative or not a number */
    public ReplayLoad {
        if (queued < 0 || outstanding < 0) {
            throw new IllegalArgumentException(
                    "queued is " + queued + ", outstanding is " + outstanding + "; allowed: 0 or more");
        }
        if (!(executionMillis >= 0 && interarrivalMillis >= 0 && lowerQuartile >= 0)) {
            throw new IllegalArgumentException(
                    "execution %s ms, inter-arrival %s ms, lower quartile %s; allowed: 0 or more"
                            .formatted(executionMillis, interarrivalMillis, lowerQuartile));
        }
    }
}
