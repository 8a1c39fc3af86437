package io.kipimo.core.quality.estimate;

import org.apache.commons.math3.distribution.TDistribution;

/** Quantiles of Student's t distribution. */
final class StudentT {
    /** By degrees of freedom; the first is unused. */
    private static final double[] QUANTILES = new double[101];

    static {
        for (int degrees = 1; degrees < QUANTILES.length; degrees++) {
            QUANTILES[degrees] =
                    new TDistribution(null, degrees).inverseCumulativeProbability(0.975);
        }
    }

    private StudentT() {}

    /**
     * What a t-distributed value is below with probability 0.975; for 95 % intervals.
     *
     * @param degrees of freedom, at least 1; from 100 on as for 100, a hundredth too much
     */
    static double quantile975(int degrees) {
        return QUANTILES[Math.min(degrees, QUANTILES.length - 1)];
    }
}
