package io.kipimo.schemas.decision;

import io.kipimo.schemas.field.Range;

/**
 * Admitted fraction of the queries in one range of predicted cost: below {@code upTo}, and not below that of the step
 * before. The last step of an order also covers greater costs.
 *
 * @param upTo in the unit of the stated costs, above 0
 * @param fraction 0..1
 */
public record CostStep(
        @Range(least = Double.MIN_VALUE, most = Double.MAX_VALUE)
        double upTo,

        @Range(most = 1) double fraction) {}
