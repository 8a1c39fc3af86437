package io.kipimo.schemas.rating;

/**
 * What a target promises.
 *
 * @param leastWithin alpha: share of the requests that are answered within the bound, 0..1
 * @param boundMicros beta, 1 or more
 * @param mostUnpredictable tau: share of the reads that are stale, inconsistent or wrong, 0..1
 * @param leastQuality mean answer quality, 0..1; 0: not part of it
 * @param mostErrors share of the requests that fail, 0..1
 * @param durationMillis Delta: how long it must be kept, 1 or more
 */
public record AgreementTerms(
        double leastWithin,
        long boundMicros,
        double mostUnpredictable,
        double leastQuality,
        double mostErrors,
        long durationMillis) {}
