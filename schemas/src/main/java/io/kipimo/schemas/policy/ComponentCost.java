package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * Work of one component for a query.
 *
 * @param cost in any unit that is the same for all components of the service
 */
public record ComponentCost(
        @Name String name, @Range(least = 1e-9, most = 1e9) double cost) {}
