package io.kipimo.core.replication.duplicates;

import io.kipimo.core.tails.LatencySketch;

/**
 * Zoolander's model read the other way: not which share of requests meets a bound, but which
 * latency a share meets when N independent copies run and the fastest counts. From {@code s = 1 -
 * (1 - Phi)^N} follows that the fastest's quantile s is a copy's quantile {@code 1 - (1 -
 * s)^(1/N)}.
 *
 * @param meanMicros of the fastest
 * @param variance of the fastest, square microseconds
 */
public record FastestOf(double meanMicros, double variance) {
    /** Points of the integrals over quantiles. */
    private static final int POINTS = 400;

    /**
     * Mean and variance.
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
     * A quantile of the fastest, microseconds.
     *
     * @param share 0..1
     */
    public static double quantileMicros(LatencySketch copies, int duplicates, double share) {
        Zoolander.atLeast1("duplicates", duplicates);
        return copies.quantileMicros(1 - Math.pow(1 - share, 1.0 / duplicates));
    }
}
