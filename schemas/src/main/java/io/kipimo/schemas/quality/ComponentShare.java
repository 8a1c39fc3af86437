package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * What one component contributed to one answer, and what its lateness cost.
 *
 * @param missing whether its mature result was absent when the window ended
 * @param lostQuality Shapley value of its lateness in the first metric, signed; the values of all components sum to 1 -
 *     deliberate loss - quality (its high end); 0 if it was not asked
 * @param contribution share of the mature top k that it returned, 0..1
 */
public record ComponentShare(
        @Name String component,
        Outcome outcome,
        @Range(most = Range.LONGEST_MICROS) long latencyMicros,
        boolean missing,
        @Range(least = -1, most = 1) double lostQuality,
        @Range(most = 1) double contribution) {}
