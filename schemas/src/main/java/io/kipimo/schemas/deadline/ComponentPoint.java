package io.kipimo.schemas.deadline;

/**
 * One deadline for one component, while the others keep theirs.
 *
 * @param deadlineMillis after a query's start
 * @param within share of the queries that it would answer by then, 0..1
 * @param quality mean quality that answers would have had, 0..1
 */
public record ComponentPoint(double deadlineMillis, double within, double quality) {}
