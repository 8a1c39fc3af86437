package io.kipimo.core.rating.search;

import io.kipimo.core.rating.ExperimentReading;
import java.util.List;

/**
 * A parabola through the origin, y = (a - cT) T, by weighted least squares: what is served per unit
 * of load is a line that falls from a to 0 at T = a/c, and throughput peaks half-way. A reading is
 * off by a fraction of itself, so that readings far beyond the peak, where little is served, tell
 * best where the line ends, and with it the peak.
 */
final class FallingLine {
    /** How near to the end of the line a reading still tells more than one farther away. */
    static final double LEAST_SHARE = 0.1;

    /** Standard deviations by which a line must fall to count as one that does. */
    private static final double FALLING = 3;

    /** Standard deviations by which the sum of squares may be larger than expected. */
    private static final double MISFIT = 6;

    /** Noise of a reading depends on what the fit says it should be. */
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
     * Of readings that served something; null if they do not show a fall.
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
        // All of one load, or nothing served, or a line that rises.
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

    /** False if readings are farther from it than noise explains. */
    boolean holds() {
        return holds;
    }

    /** Standard deviation of the peak's load, as a fraction of it. */
    double error() {
        return error(weights, loads, squares);
    }

    /** What {@link #error} would be after another reading at {@code load}. */
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
