package io.kipimo.schemas.completeness;

import io.kipimo.schemas.field.Range;

/**
 * Degraded answers whose predicted quality fell into one range. Each prediction was made before the model learned from
 * the measurement.
 *
 * @param from least predicted quality of the bin, 0..1
 * @param to greatest predicted quality of the bin, 0..1
 * @param queries number of answers; 0: both means are 0
 */
public record CalibrationBin(
        @Range(most = 1) double from,
        @Range(leastOf = "from", most = 1) double to,
        long queries,
        @Range(most = 1) double meanPredicted,
        @Range(most = 1) double meanMeasured) {}
