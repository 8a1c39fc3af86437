package io.kipimo.examples.search.load;

import java.util.List;

/**
 * What came of a run. Every query is counted once, in the second of its intended start.
 *
 * @param seconds of the run, all of them, in order
 */
public record LoadResult(List<Second> seconds, Tally high, Tally low, SelfWatch generator) {

    /**
     * One second of the run.
     *
     * @param second since the start, from 0
     */
    public record Second(int second, Tally high, Tally low) {}

    /**
     * What became of queries: {@code offered = answered + rejected + failed}. Latencies are those
     * of answers, from the intended start, milliseconds; 0 without any.
     *
     * @param offered sent, or meant to be
     * @param answered with all components or some
     * @param degraded those of them that lack a component
     * @param rejected shed at admission (429)
     * @param failed any other status, no connection, no response in time
     */
    public record Tally(
            long offered,
            long answered,
            long degraded,
            long rejected,
            long failed,
            double p50Millis,
            double p99Millis) {

        /** Share of the answers that lack a component, 0..1; 0 without answers. */
        public double degradedShare() {
            return answered == 0 ? 0 : (double) degraded / answered;
        }

        /** Share of the queries that were let in, 0..1; 1 without queries. */
        public double admittedShare() {
            return offered == 0 ? 1 : (double) (offered - rejected) / offered;
        }
    }

    /**
     * How late the generator itself was: actual less intended send time, milliseconds.
     *
     * @param unfinished queries without a response when the run was given up; among the failed
     */
    public record SelfWatch(
            double p50LagMillis, double p99LagMillis, double maxLagMillis, long unfinished) {
        private static final double ACCEPTABLE_LAG_MILLIS = 5;

        /** Whether the figures tell of the service and not of the generator. */
        public boolean keptUp() {
            return p99LagMillis <= ACCEPTABLE_LAG_MILLIS;
        }
    }
}
