package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.WithBuilder;

/**
 * One finished experiment of a rating.
 *
 * @param number from 1, in order of execution
 * @param load in units of load
 * @param startedAtMillis epoch milliseconds
 * @param measuredMillis measured time, without the warm-up
 * @param prepareMillis time to bring the target into its initial state
 * @param throughput requests per second
 * @param remark why it is void or was ended early; may be empty
 */
@WithBuilder
public record RatingTrial(
        int number,
        long load,
        TrialPurpose purpose,
        long startedAtMillis,
        long measuredMillis,
        long prepareMillis,
        TrialVerdict verdict,
        double throughput,
        ExperimentCounts counts,
        double meanMicros,
        long p50Micros,
        long p95Micros,
        long p99Micros,
        String remark) {
    /** Whether it yielded no information about the target. */
    public boolean isVoid() {
        return verdict == TrialVerdict.BOTTLENECK || verdict == TrialVerdict.LOST;
    }
}
