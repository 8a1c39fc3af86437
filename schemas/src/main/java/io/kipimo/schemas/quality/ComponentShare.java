package io.kipimo.schemas.quality;

/**
 * What one component gave to, and cost, one answer.
 *
 * @param missing its mature result was not there when the window ended
 * @param lostQuality Shapley value of its lateness in the first metric, signed; these sum to 1 -
 *     quality (its high end)
 * @param contribution share of the mature top k that it returned, 0..1
 */
public record ComponentShare(
        String component,
        Outcome outcome,
        long latencyMicros,
        boolean missing,
        double lostQuality,
        double contribution) {}
