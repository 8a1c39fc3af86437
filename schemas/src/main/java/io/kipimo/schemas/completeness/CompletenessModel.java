package io.kipimo.schemas.completeness;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.Range;
import java.util.List;

/**
 * Predicts the quality of an answer of one class: 1 minus the losses of its missing components, at least 0; topic
 * {@code completeness}, compacted by service/class.
 *
 * @param queries degraded measured queries that the model learned from
 * @param usualLoss loss of a component that {@code losses} does not name, 0..1
 * @param losses mean loss by component
 * @param calibration predicted and measured quality, by ascending predicted quality
 */
public record CompletenessModel(
        @Name String service,
        @Name String queryClass,
        @Name String metric,
        @Range(least = 1, most = Range.LATEST_MILLIS) long asOfMillis,
        long queries,
        @Range(most = 1) double usualLoss,
        List<ComponentLoss> losses,
        List<CalibrationBin> calibration)
        implements OfServiceClass {}
