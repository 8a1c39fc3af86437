package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.Range;

/**
 * Service level agreement that a target must keep for a load to pass.
 *
 * @param leastWithin alpha: least share of the requests that are answered within the bound, 0..1
 * @param boundMicros beta: latency bound, at least 1
 * @param mostUnpredictable tau: greatest share of the reads that are stale, inconsistent or wrong, 0..1
 * @param leastQuality least mean answer quality, 0..1; 0: not part of the agreement
 * @param mostErrors greatest share of the requests that fail, 0..1
 * @param durationMillis Delta: time for which the target must keep the agreement, milliseconds, at least 1
 */
public record AgreementTerms(
        @Range(most = 1) double leastWithin,
        @Range(least = 1, most = Range.LONGEST_MICROS) long boundMicros,
        @Range(most = 1) double mostUnpredictable,
        @Range(most = 1) double leastQuality,
        @Range(most = 1) double mostErrors,

        @Range(least = 1, most = Range.LONGEST_MICROS / 1000)
        long durationMillis) {}
