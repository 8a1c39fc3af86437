package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * Contribution of one component to one answer, and the quality lost by its lateness.
 *
 * @param missing whether the component's mature result was absent when the expiration window ended
 * @param lostQuality Shapley value of its lateness in the first metric, signed; the values of all components sum to 1 -
 *     deliberate loss - high end of the quality; 0 if the component was not asked
 * @param contribution share of the mature top k that the component returned, 0..1
 */
public record ComponentShare(
        @Name String component,
        Outcome outcome,
        @Range(most = Range.LONGEST_MICROS) long latencyMicros,
        boolean missing,
        @Range(least = -1, most = 1) double lostQuality,
        @Range(most = 1) double contribution) {}
