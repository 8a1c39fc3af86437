package io.kipimo.schemas.decision;

/**
 * Admitted fraction of the queries in one range of predicted cost: below {@code upTo}, and not
 * below that of the step before. The last step of an order also covers greater costs.
 *
 * @param upTo in the unit of the stated costs, above 0
 * @param fraction 0..1
 */
public record CostStep(double upTo, double fraction) {}
