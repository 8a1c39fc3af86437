package io.kipimo.schemas.deadline;

import io.kipimo.schemas.field.Ascending;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Cost of one component's lateness, and the effect of possible remedies. Qualities are means per query of the class,
 * 0..1; compare them with the curve's quality at the deadline in force.
 *
 * @param invoked sampled queries of the window that invoked the component
 * @param late those of {@code invoked} for which the component was late
 * @param lostQuality mean quality lost per query by the component's lateness (attribution)
 * @param lostQualityPerLateMinute quality lost per minute of lateness; 0 if the component was never late
 * @param qualityIfFaster quality if the component took 25 % less time
 * @param qualityIfReplicated quality if the faster of two independent copies counted
 * @param qualityIfDropped quality if queries did not invoke the component, while mature answers keep its items
 * @param points effects of other deadlines for this component alone, ascending
 */
@WithBuilder
public record ComponentEconomics(
        @Name String component,
        int invoked,
        @Range(mostOf = "invoked") int late,
        @Range(least = -1, most = 1) double lostQuality,

        @Range(least = -Double.MAX_VALUE, most = Double.MAX_VALUE)
        double lostQualityPerLateMinute,

        @Range(most = 1) double qualityIfFaster,
        @Range(most = 1) double qualityIfReplicated,
        @Range(most = 1) double qualityIfDropped,

        @Initializer(source = List.class, value = "of") @Ascending
        List<ComponentPoint> points) {}
