package io.kipimo.schemas.completeness;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/** Mean quality lost when this component is missing, 0..1, and the number of answers on which it is based. */
public record ComponentLoss(
        @Name String component, @Range(most = 1) double loss, long queries) {}
