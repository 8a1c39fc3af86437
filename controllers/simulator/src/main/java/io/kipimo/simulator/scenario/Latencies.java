package io.kipimo.simulator.scenario;

import java.util.Arrays;

/**
 * Exact statistics of times, seconds; all 0 without times.
 *
 * @param p50 median by nearest rank; the other quantiles are by nearest rank too
 */
public record Latencies(long count, double mean, double p50, double p95, double p99, double maximum) {

    /** Statistics of times in any order. */
    public static Latencies of(double[] seconds) {
        if (seconds.length == 0) {
            return new Latencies(0, 0, 0, 0, 0, 0);
        }
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        double sum = 0;
        for (double one : sorted) {
            sum += one;
        }
        return new Latencies(
                sorted.length,
                sum / sorted.length,
                quantile(sorted, 0.5),
                quantile(sorted, 0.95),
                quantile(sorted, 0.99),
                sorted[sorted.length - 1]);
    }

    static double quantile(double[] sorted, double share) {
        int rank = (int) Math.ceil(share * sorted.length - 1e-9);
        return sorted[Math.max(1, rank) - 1];
    }
}
