package io.kipimo.schemas.observation;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/** Number of invocations of a component and of its missed deadlines, unsampled. */
public record ComponentCount(
        @Name String component,
        long invoked,
        @Range(mostOf = "invoked") long timedOut) {}
