package io.kipimo.schemas.deadline;

import io.kipimo.schemas.field.Range;

/**
 * Effect of one deadline for one component, while the other components keep theirs.
 *
 * @param deadlineMillis the deadline, milliseconds after a query's start
 * @param within share of the queries that the component would answer by the deadline, 0..1
 * @param quality mean quality that answers would have had, 0..1
 */
public record ComponentPoint(
        @Range(most = Range.LONGEST_MICROS / 1000) double deadlineMillis,
        @Range(most = 1) double within,
        @Range(most = 1) double quality) {}
