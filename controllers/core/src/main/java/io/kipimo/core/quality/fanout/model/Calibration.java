package io.kipimo.core.quality.fanout.model;

import io.kipimo.schemas.fanout.ContributionTable;
import java.util.Arrays;

/**
 * Predicted against true quality of choices, by tenths of the predicted quality, on queries that the model had not
 * learned from.
 *
 * @param counts choices in each bin; weights that fade
 * @param predicted sum of the predicted quality of the choices of each bin
 * @param kept sum of their true quality
 */
record Calibration(double[] counts, double[] predicted, double[] kept) {
    static final int BINS = ContributionTable.BINS;

    /** Choices in all bins below which nothing is known. */
    static final double LEAST_CHOICES = 200;

    /** Choices below which a bin proves nothing. */
    private static final double LEAST_IN_BIN = 30;

    /** How much more a bin may promise than was kept, after correction. */
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

    /** Lets earlier choices count less, by this factor. */
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
     * Whether enough choices are known, and no bin promised more than 0.25 above what was kept, so that predictions can
     * be corrected.
     */
    boolean holds() {
        return holds(MOST_CORRECTION);
    }

    /**
     * As above, with another bound.
     *
     * @param mostError by which a bin may promise more than was kept, 0..1
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

    /** The predicted quality, corrected by what choices of its bin kept. */
    double corrected(double predictedQuality) {
        double quality = predictedQuality + error(bin(predictedQuality));
        return Math.max(0, Math.min(1, quality));
    }

    private double error(int bin) {
        return counts[bin] < LEAST_IN_BIN ? 0 : (kept[bin] - predicted[bin]) / counts[bin];
    }
}
