package io.kipimo.schemas.completeness;

/**
 * Degraded answers whose predicted quality fell into one range; each was predicted before its
 * measurement was learned from.
 *
 * @param from least predicted quality of the bin, 0..1
 * @param to greatest one
 * @param queries answers; 0: both means are 0
 */
public record CalibrationBin(
        double from, double to, long queries, double meanPredicted, double meanMeasured) {}
