package io.kipimo.schemas.replication;

/**
 * A constraint that the factors in force violate.
 *
 * @param constraint name of a constant of the controller's vocabulary, such as SERVER_CAPACITY
 * @param value value of the constrained figure
 * @param allowed its bound
 */
public record BrokenConstraint(String constraint, String tier, double value, double allowed) {}
