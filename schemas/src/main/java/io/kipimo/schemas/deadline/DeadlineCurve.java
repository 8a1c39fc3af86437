package io.kipimo.schemas.deadline;

import io.kipimo.schemas.field.Ascending;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Quality of one class as a function of the deadline, from the queries of one window; topic {@code deadlines}.
 * Identity: service, class, metric, end.
 *
 * @param deadlineMillis mean deadline in force, milliseconds after a query's start
 * @param profiles number of queries whose answers were merged again for each deadline
 * @param degradedProfiles those of {@code profiles} in which some component missed the deadline in force
 * @param points points, ascending by deadline; empty: not enough queries
 * @param components economics of each component, by name
 * @param fanOut effect of asking fewer components; {@link FanOutCurve#NONE} without features
 */
@WithBuilder
public record DeadlineCurve(
        @Name String service,
        @Name String queryClass,
        @Name String metric,
        @Range(least = 1, most = Range.LATEST_MILLIS) long startMillis,

        @Range(leastOf = "startMillis", most = Long.MAX_VALUE)
        long endMillis,

        @Range(most = Range.LONGEST_MICROS / 1000) double deadlineMillis,
        int profiles,
        @Range(mostOf = "profiles") int degradedProfiles,

        @Initializer(source = List.class, value = "of") @Ascending
        List<DeadlinePoint> points,

        @Initializer(source = List.class, value = "of") List<ComponentEconomics> components,

        @Initializer(source = FanOutCurve.class, value = "NONE")
        FanOutCurve fanOut)
        implements OfServiceClass {}
