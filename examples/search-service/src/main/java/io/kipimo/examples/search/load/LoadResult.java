package io.kipimo.examples.search.load;

import java.util.List;

/**
 * Result of a run. Every query is counted once, in the second of its intended start.
 *
 * @param seconds all seconds of the run, in order
 */
public record LoadResult(List<LoadSecond> seconds, Tally high, Tally low, SendLag generator) {

    /**
     * One second of the run.
     *
     * @param second number since the start, from 0
     */
    public record LoadSecond(int second, Tally high, Tally low) {}

    /**
     * Counts of queries by outcome: {@code offered = answered + rejected + failed}. Latencies are those of answers from
     * the intended start, milliseconds; 0 without answers.
     *
     * @param offered queries that were sent, or scheduled but not sent
     * @param answered answers with all components or some
     * @param degraded answers that lack a component
     * @param rejected queries that were shed at admission (429)
     * @param failed queries with any other status, no connection, or no response in time
     */
    public record Tally(
            long offered,
            long answered,
            long degraded,
            long rejected,
            long failed,
            double p50Millis,
            double p99Millis) {

        /** Share of the queries that were admitted, 0..1; 1 without queries. */
        public double admittedShare() {
            return offered == 0 ? 1 : (double) (offered - rejected) / offered;
        }
    }

    /**
     * Delay of the generator itself: actual minus intended send time, milliseconds.
     *
     * @param unfinished queries without a response at the end of the run; the failed queries include them
     */
    public record SendLag(double p50LagMillis, double p99LagMillis, double maxLagMillis, long unfinished) {}
}
