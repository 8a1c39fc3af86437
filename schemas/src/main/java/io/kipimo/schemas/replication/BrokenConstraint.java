package io.kipimo.schemas.replication;

/**
 * A constraint that the factors in force broke.
 *
 * @param constraint a constant of the controller's vocabulary, such as SERVER_CAPACITY
 * @param value the figure that breaks it
 * @param allowed its bound
 */
public record BrokenConstraint(String constraint, String tier, double value, double allowed) {}
