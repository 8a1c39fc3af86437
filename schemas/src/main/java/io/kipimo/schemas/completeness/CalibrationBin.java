package io.kipimo.schemas.completeness;

/**
 * Degraded answers whose predicted quality fell into one range. Each prediction was made before the
 * model learned from the measurement.
 *
 * @param from least predicted quality of the bin, 0..1
 * @param to greatest predicted quality of the bin, 0..1
 * @param queries number of answers; 0: both means are 0
 */
public record CalibrationBin(
        double from, double to, long queries, double meanPredicted, double meanMeasured) {}
