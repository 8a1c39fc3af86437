package io.kipimo.core.rating.search;

import io.kipimo.core.rating.ExperimentReading;
import java.util.List;

/**
 * A parabola through the origin, y = (a - cT) T, by weighted least squares. Throughput per unit of
 * load is then a line that falls from a to 0 at T = a/c, and throughput peaks half-way. The error
 * of a reading is proportional to the reading. Therefore readings far beyond the peak, where
 * throughput is low, determine the end of the line and the peak best.
 */
final class FallingLine {
    /** Least useful distance of a reading from the end of the line, as a share of the line. */
    static final double LEAST_SHARE = 0.1;

    /** Least significant fall of the line, in standard deviations. */
    private static final double FALLING = 3;

    /** Largest allowed excess of the sum of squares, in standard deviations. */
    private static final double MISFIT = 6;

    /** Iterations of the fit: the weight of a reading depends on its fitted value. */
    private static final int ROUNDS = 3;

    private final double noise;

    // Sums of the weights, of the weighted loads and of their squares.
    private final double weights;
    private final double loads;
    private final double squares;
    private final double start;
    private final double fall;
    private final boolean holds;

    private FallingLine(
            double noise,
            double weights,
            double loads,
            double squares,
            double start,
            double fall,
            boolean holds) {
        this.noise = noise;
        this.weights = weights;
        this.loads = loads;
        this.squares = squares;
        this.start = start;
        this.fall = fall;
        this.holds = holds;
    }

    /**
     * Fits the readings with throughput above 0; null if they show no fall.
     *
     * @param noise standard deviation of a reading, as a fraction of it; more than 0
     */
    static FallingLine of(List<ExperimentReading> readings, double noise) {
        List<ExperimentReading> served = readings.stream().filter(r -> r.throughput() > 0).toList();
        int n = served.size();
        double[] load = new double[n];
        double[] value = new double[n];
        for (int i = 0; i < n; i++) {
            load[i] = (double) served.get(i).load();
            value[i] = served.get(i).throughput() / load[i];
        }
        double[] expected = value.clone();
        FallingLine line = null;
        for (int round = 0; round < ROUNDS; round++) {
            line = fitted(load, value, expected, noise);
            if (line == null) {
                return null;
            }
            for (int i = 0; i < n; i++) {
                expected[i] = line.at(load[i]);
            }
        }
        boolean falls = line.fall > FALLING * Math.sqrt(line.weights / line.determinant());
        return falls ? line : null;
    }

    private static FallingLine fitted(
            double[] load, double[] value, double[] expected, double noise) {
        double highest = 0;
        for (double e : expected) {
            highest = Math.max(highest, e);
        }
        double w = 0;
        double wt = 0;
        double wtt = 0;
        double wz = 0;
        double wtz = 0;
        double[] deviations = new double[load.length];
        for (int i = 0; i < load.length; i++) {
            deviations[i] = noise * Math.max(expected[i], LEAST_SHARE * highest);
            double weight = 1 / (deviations[i] * deviations[i]);
            w += weight;
            wt += weight * load[i];
            wtt += weight * load[i] * load[i];
            wz += weight * value[i];
            wtz += weight * load[i] * value[i];
        }
        double determinant = w * wtt - wt * wt;
        double start = (wtt * wz - wt * wtz) / determinant;
        double fall = (wt * wz - w * wtz) / determinant;
        // Only one load, no throughput, or a rising line.
        if (!(determinant > 1e-9 * w * wtt) || !(start > 0) || !(fall > 0)) {
            return null;
        }
        double sum = 0;
        for (int i = 0; i < load.length; i++) {
            double residual = (value[i] - (start - fall * load[i])) / deviations[i];
            sum += residual * residual;
        }
        int freedom = load.length - 2;
        boolean holds = freedom < 1 || sum <= freedom + MISFIT * Math.sqrt(2.0 * freedom);
        return new FallingLine(noise, w, wt, wtt, start, fall, holds);
    }

    private double at(double load) {
        return start - fall * load;
    }

    private double determinant() {
        return weights * squares - loads * loads;
    }

    /** Load at the peak. */
    double peak() {
        return start / (2 * fall);
    }

    /** Throughput at the peak, requests a second. */
    double throughput() {
        return start * peak() / 2;
    }

    /** False if readings deviate from the line by more than noise. */
    boolean holds() {
        return holds;
    }

    /** Standard deviation of the peak's load, as a fraction of it. */
    double error() {
        return error(weights, loads, squares);
    }

    /** Expected {@link #error} after another reading at {@code load}. */
    double errorWith(double load) {
        double deviation = noise * Math.max(at(load), LEAST_SHARE * start);
        double weight = 1 / (deviation * deviation);
        return error(weights + weight, loads + weight * load, squares + weight * load * load);
    }

    private double error(double w, double wt, double wtt) {
        double variance = wtt / (start * start) + w / (fall * fall) - 2 * wt / (start * fall);
        return Math.sqrt(Math.max(0, variance) / (w * wtt - wt * wt));
    }
}
