package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;

/**
 * Latency of the fastest of N independent copies. Zoolander's model gives the share of requests that meets a latency;
 * its inverse, used here, gives the latency that a share of requests meets. From {@code s = 1 - (1 - Phi)^N} follows
 * that quantile s of the fastest is quantile {@code 1 - (1 - s)^(1/N)} of a copy.
 *
 * @param meanMicros mean latency of the fastest copy
 * @param variance variance of this latency, square microseconds
 */
record FastestOf(double meanMicros, double variance) {
    /** Number of points of the integrals over quantiles. */
    private static final int POINTS = 400;

    /**
     * Mean and variance of the fastest copy.
     *
     * @param copies latencies of single copies
     * @param duplicates N, at least 1
     */
    public static FastestOf copies(LatencySketch copies, int duplicates) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < POINTS; i++) {
            double latency = quantileMicros(copies, duplicates, (i + 0.5) / POINTS);
            sum += latency;
            squares += latency * latency;
        }
        double mean = sum / POINTS;
        return new FastestOf(mean, Math.max(0, squares / POINTS - mean * mean));
    }

    /**
     * A quantile of the latency of the fastest copy, microseconds.
     *
     * @param share quantile as a share, 0..1
     */
    public static double quantileMicros(LatencySketch copies, int duplicates, double share) {
        Zoolander.atLeast1("duplicates", duplicates);
        return copies.quantileMicros(1 - Math.pow(1 - share, 1.0 / duplicates));
    }
}
