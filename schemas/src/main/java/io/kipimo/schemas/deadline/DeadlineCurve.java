package io.kipimo.schemas.deadline;

import java.util.List;

/**
 * Quality of one class against the deadline over one window; topic {@code deadlines}. Identity:
 * service, class, metric, end.
 *
 * @param deadlineMillis mean deadline in force, milliseconds after a query's start
 * @param profiles queries that were merged again, for each deadline
 * @param degradedProfiles those of the profiles in which some component missed the deadline
 * @param points points, ascending by deadline; empty: NOT-ENOUGH
 * @param components economics of each component, by name
 */
public record DeadlineCurve(
        String service,
        String queryClass,
        String metric,
        long startMillis,
        long endMillis,
        double deadlineMillis,
        int profiles,
        int degradedProfiles,
        List<DeadlinePoint> points,
        List<ComponentEconomics> components) {}
