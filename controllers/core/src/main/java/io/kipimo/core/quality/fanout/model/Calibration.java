package io.kipimo.core.quality.fanout.model;

import io.kipimo.schemas.fanout.ContributionTable;
import java.util.Arrays;

/**
 * Compares the predicted with the true quality of choices of components, in bins of a tenth of predicted quality. It
 * uses queries that the model had not learned from.
 *
 * @param counts number of choices in each bin; earlier choices count less and less
 * @param predicted sum of the predicted quality of the choices of each bin
 * @param kept sum of the true quality of the choices of each bin
 */
record Calibration(double[] counts, double[] predicted, double[] kept) {
    static final int BINS = ContributionTable.BINS;

    /** Fewest choices, over all bins, from which the calibration is known. */
    static final double LEAST_CHOICES = 200;

    /** Fewest choices from which the error of a bin is known. */
    private static final double LEAST_IN_BIN = 30;

    /** Greatest amount by which the corrected quality of a bin may exceed the true quality. */
    static final double MOST_ERROR = 0.05;

    /** Greatest downward correction of a bin. A model that needs more is broken. */
    private static final double MOST_CORRECTION = 0.25;

    Calibration {
        if (counts.length != BINS || predicted.length != BINS || kept.length != BINS) {
            throw new IllegalArgumentException("calibration has %s, %s and %s bins; allowed: %s"
                    .formatted(counts.length, predicted.length, kept.length, BINS));
        }
        for (int bin = 0; bin < BINS; bin++) {
            if (!(isSum(counts[bin]) && isSum(predicted[bin]) && isSum(kept[bin]))) {
                throw new IllegalArgumentException(
                        "calibration bin " + bin + " is no sum; allowed: finite and at least 0");
            }
        }
    }

    static Calibration none() {
        return new Calibration(new double[BINS], new double[BINS], new double[BINS]);
    }

    private static boolean isSum(double value) {
        return value >= 0 && Double.isFinite(value);
    }

    private static int bin(double quality) {
        return Math.max(0, Math.min(BINS - 1, (int) (quality * BINS)));
    }

    void add(double predictedQuality, double keptQuality) {
        int bin = bin(predictedQuality);
        counts[bin]++;
        predicted[bin] += predictedQuality;
        kept[bin] += keptQuality;
    }

    /** Multiplies the weight of all earlier choices by this factor. */
    void fade(double factor) {
        for (int bin = 0; bin < BINS; bin++) {
            counts[bin] *= factor;
            predicted[bin] *= factor;
            kept[bin] *= factor;
        }
    }

    Calibration copy() {
        return new Calibration(counts.clone(), predicted.clone(), kept.clone());
    }

    /** Whether enough choices are known. */
    boolean isKnown() {
        return Arrays.stream(counts).sum() >= LEAST_CHOICES;
    }

    /**
     * Whether enough choices are known, and no bin's predicted quality is more than 0.25 above the true quality. Then
     * predictions can be corrected.
     */
    boolean holds() {
        return holds(MOST_CORRECTION);
    }

    /**
     * Whether enough choices are known, and no bin's predicted quality is too far above the true quality.
     *
     * @param mostError greatest allowed difference, 0..1
     */
    boolean holds(double mostError) {
        if (!isKnown()) {
            return false;
        }
        for (int bin = 0; bin < BINS; bin++) {
            if (error(bin) < -mostError) {
                return false;
            }
        }
        return true;
    }

    /** The predicted quality, corrected by the mean error of its bin, 0..1. */
    double corrected(double predictedQuality) {
        double quality = predictedQuality + error(bin(predictedQuality));
        return Math.max(0, Math.min(1, quality));
    }

    private double error(int bin) {
        return counts[bin] < LEAST_IN_BIN ? 0 : (kept[bin] - predicted[bin]) / counts[bin];
    }
}
