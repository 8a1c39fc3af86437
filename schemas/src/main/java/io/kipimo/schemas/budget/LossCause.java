package io.kipimo.schemas.budget;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/** A component and its share of the quality lost, 0..1. */
public record LossCause(
        @Name String component, @Range(most = 1) double share) {}
