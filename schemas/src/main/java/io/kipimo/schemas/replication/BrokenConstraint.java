package io.kipimo.schemas.replication;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;

/**
 * A constraint that the factors in force violate.
 *
 * @param constraint name of a constant of the controller's vocabulary, such as SERVER_CAPACITY
 * @param value value of the constrained figure
 * @param allowed bound of the figure
 */
public record BrokenConstraint(
        @Text String constraint,
        @Name String tier,
        @Range(most = 1e12) double value,
        @Range(most = 1e12) double allowed) {}
