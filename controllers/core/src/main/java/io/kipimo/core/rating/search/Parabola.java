package io.kipimo.core.rating.search;

import io.kipimo.core.rating.ExperimentReading;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * The peak of a concave parabola through readings.
 *
 * @param load at the peak
 * @param throughput at the peak
 * @param loss upper bound, at {@link #SURE}, of the throughput lost to the error of {@code load},
 *     as a fraction of {@code throughput}; 0 without noise
 * @param holds false if readings deviate from it by more than noise
 */
record Parabola(double load, double throughput, double loss, boolean holds) {
    /**
     * Confidence, in standard deviations. A search tests repeatedly and stops at the first success,
     * so it needs more confidence than a single test.
     */
    static final double SURE = 4;

    /**
     * Least fitted value for weights, as a fraction of the highest fitted value. Small readings
     * would get too much weight otherwise.
     */
    private static final double LEAST_WEIGHED = 0.4;

    /** Iterations of the fit: the weight of a reading depends on its fitted value. */
    private static final int ROUNDS = 2;

    /** Degrees of freedom from which the goodness of fit is tested. */
    private static final int LEAST_TO_JUDGE = 4;

    /** Largest allowed excess of the sum of squares, in standard deviations. */
    private static final double MISFIT = 6;

    /** Least significant curvature, in standard deviations. */
    private static final double CURVED = 2;

    /** Through three readings at different loads, lowest load first; null if it is not concave. */
    static Parabola through(ExperimentReading a, ExperimentReading b, ExperimentReading c) {
        double rising = slope(a, b);
        double falling = slope(b, c);
        double curvature = (falling - rising) / (c.load() - a.load());
        // Rounding errors of a straight line must not count as curvature.
        if (!(curvature < 0) || rising - falling < 1e-9 * Math.abs(rising)) {
            return null;
        }
        double load = (a.load() + b.load()) / 2.0 - rising / (2 * curvature);
        double throughput =
                a.throughput() + (load - a.load()) * (rising + curvature * (load - b.load()));
        return new Parabola(load, throughput, 0, true);
    }

    private static double slope(ExperimentReading a, ExperimentReading b) {
        return (b.throughput() - a.throughput()) / (b.load() - a.load());
    }

    /**
     * Fits by weighted least squares; null if the readings show no significant curvature.
     *
     * @param readings readings of three loads or more
     * @param noise standard deviation of a reading, as a fraction of it; more than 0
     */
    static Parabola fitted(List<ExperimentReading> readings, double noise) {
        // Loads and throughputs around 1 keep the equations well conditioned.
        double meanLoad =
                readings.stream().mapToDouble(ExperimentReading::load).average().orElseThrow();
        double meanThroughput =
                readings.stream()
                        .mapToDouble(ExperimentReading::throughput)
                        .average()
                        .orElseThrow();
        int n = readings.size();
        double[][] powers = new double[n][];
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
            double u = readings.get(i).load() / meanLoad - 1;
            powers[i] = new double[] {1, u, u * u};
            values[i] = readings.get(i).throughput() / meanThroughput;
        }
        RealMatrix design = MatrixUtils.createRealMatrix(powers);
        double[] expected = values;
        RealVector beta = null;
        RealMatrix covariance = null;
        for (int round = 0; round < ROUNDS; round++) {
            RealMatrix weighted = design.copy();
            double highest = Arrays.stream(expected).max().orElseThrow();
            for (int i = 0; i < n; i++) {
                double deviation = noise * Math.max(expected[i], LEAST_WEIGHED * highest);
                double weight = 1 / (deviation * deviation);
                weighted.setRowVector(i, weighted.getRowVector(i).mapMultiply(weight));
            }
            LUDecomposition normal =
                    new LUDecomposition(design.transpose().multiply(weighted), 1e-12);
            if (!normal.getSolver().isNonSingular()) {
                return null;
            }
            covariance = normal.getSolver().getInverse();
            beta =
                    covariance.operate(
                            weighted.transpose().operate(MatrixUtils.createRealVector(values)));
            expected = design.operate(beta).toArray();
        }
        return peak(beta, covariance, meanLoad, meanThroughput, holds(values, expected, noise));
    }

    /** Chi-squared test of the fit with known noise. */
    private static boolean holds(double[] values, double[] expected, double noise) {
        int freedom = values.length - 3;
        if (freedom < LEAST_TO_JUDGE) {
            return true;
        }
        double highest = Arrays.stream(expected).max().orElseThrow();
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            double deviation = noise * Math.max(expected[i], LEAST_WEIGHED * highest);
            double residual = (values[i] - expected[i]) / deviation;
            sum += residual * residual;
        }
        return sum <= freedom + MISFIT * Math.sqrt(2.0 * freedom);
    }

    private static Parabola peak(
            RealVector beta,
            RealMatrix covariance,
            double meanLoad,
            double meanThroughput,
            boolean holds) {
        double slope = beta.getEntry(1);
        double curvature = beta.getEntry(2);
        if (curvature + CURVED * Math.sqrt(covariance.getEntry(2, 2)) >= 0) {
            return null;
        }
        double x = -slope / (2 * curvature);
        double top = beta.getEntry(0) + x * (slope + x * curvature);
        if (!(top > 0)) {
            return null;
        }
        RealVector gradient =
                MatrixUtils.createRealVector(
                        new double[] {
                            0, -1 / (2 * curvature), slope / (2 * curvature * curvature)
                        });
        double variance = gradient.dotProduct(covariance.operate(gradient));
        double loss = -curvature * SURE * SURE * variance / top;
        return new Parabola((1 + x) * meanLoad, top * meanThroughput, loss, holds);
    }
}
