package io.kipimo.schemas.completeness;

import io.kipimo.schemas.field.OfServiceClass;
import java.util.List;

/**
 * Predicts the quality of an answer of one class: 1 minus the losses of its missing components, at
 * least 0; topic {@code completeness}, compacted by service/class.
 *
 * @param queries degraded measured queries that the model learned from
 * @param usualLoss loss of a component that {@code losses} does not name, 0..1
 * @param losses by component
 * @param calibration predicted against measured quality, ascending
 */
public record CompletenessModel(
        String service,
        String queryClass,
        String metric,
        long asOfMillis,
        long queries,
        double usualLoss,
        List<ComponentLoss> losses,
        List<CalibrationBin> calibration)
        implements OfServiceClass {}
