package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Range;

/**
 * Share of requests within a latency bound.
 *
 * @param objectiveMicros latency bound
 * @param share share of requests at or below the bound, 0..1
 */
public record ServiceLevel(
        @Range(most = Range.LONGEST_MICROS) long objectiveMicros,
        @Range(most = 1) double share) {}
