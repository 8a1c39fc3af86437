package io.kipimo.core.replication;

/**
 * One constraint that factors break.
 *
 * @param tierIndex where, counted from 0; the last for {@link Constraint#EXTRA_LOAD}
 * @param value the figure that breaks it
 * @param allowed its bound
 */
record ConstraintViolation(Constraint constraint, int tierIndex, double value, double allowed) {}
