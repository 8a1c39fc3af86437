package io.kipimo.core.quality.estimate;

import org.apache.commons.math3.distribution.TDistribution;

/** Quantiles of Student's t distribution. */
final class StudentT {
    /** The 0.975 quantiles by degrees of freedom; index 0 is unused. */
    private static final double[] QUANTILES = new double[101];

    static {
        for (int degrees = 1; degrees < QUANTILES.length; degrees++) {
            QUANTILES[degrees] = new TDistribution(null, degrees).inverseCumulativeProbability(0.975);
        }
    }

    private StudentT() {}

    /**
     * The 0.975 quantile, for 95 % intervals.
     *
     * @param degrees degrees of freedom, at least 1; above 100 the quantile for 100 is returned, which is at most 1.3 %
     *     too great
     */
    static double quantile975(int degrees) {
        return QUANTILES[Math.min(degrees, QUANTILES.length - 1)];
    }
}
