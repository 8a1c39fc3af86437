package io.kipimo.schemas.completeness;

import java.util.List;

/**
 * How to predict the quality of an answer of one class: 1 less the losses of the components that it
 * lacks, at least 0; topic {@code completeness}, compacted by service/class.
 *
 * @param queries degraded measured queries that it was learned from
 * @param usualLoss expected of a component that {@code losses} does not name, 0..1
 * @param losses by component
 * @param calibration what was predicted against what was then measured, ascending
 */
public record CompletenessModel(
        String service,
        String queryClass,
        String metric,
        long asOfMillis,
        long queries,
        double usualLoss,
        List<ComponentLoss> losses,
        List<CalibrationBin> calibration) {}
