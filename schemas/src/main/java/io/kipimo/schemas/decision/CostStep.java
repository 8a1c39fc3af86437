package io.kipimo.schemas.decision;

import io.kipimo.schemas.field.Range;

/**
 * Admitted fraction of the queries in one range of predicted cost. The range is below {@code upTo}, and not below the
 * {@code upTo} of the step before. The last step of an order also covers greater costs.
 *
 * @param upTo end of the range, in the unit of the stated costs, above 0
 * @param fraction admitted fraction, 0..1
 */
public record CostStep(
        @Range(least = Double.MIN_VALUE, most = Double.MAX_VALUE)
        double upTo,

        @Range(most = 1) double fraction) {}
