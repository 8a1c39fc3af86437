package io.kipimo.schemas.deadline;

import java.util.List;

/**
 * Quality of one class against the deadline over one window; topic {@code deadlines}. Identity:
 * service, class, metric, end.
 *
 * @param deadlineMillis mean deadline that was in force, milliseconds after a query's start
 * @param profiles queries that were merged again
 * @param degradedProfiles those of them that some component missed
 * @param points ascending by deadline; empty: NOT-ENOUGH
 * @param components by name
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
