package io.kipimo.core.replication;

/**
 * One constraint that factors break.
 *
 * @param tierIndex tier where they break it, counted from 0; the last tier for {@link Constraint#EXTRA_LOAD}
 * @param value figure that breaks the constraint
 * @param allowed bound of this figure
 */
record ConstraintViolation(Constraint constraint, int tierIndex, double value, double allowed) {}
