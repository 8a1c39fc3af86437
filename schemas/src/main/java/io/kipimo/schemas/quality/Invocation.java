package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * One component that a query invoked.
 *
 * @param latencyMicros time from the invocation to the result or the deadline, microseconds
 */
public record Invocation(
        @Name String component,
        Outcome outcome,
        @Range(most = Range.LONGEST_MICROS) long latencyMicros) {}
