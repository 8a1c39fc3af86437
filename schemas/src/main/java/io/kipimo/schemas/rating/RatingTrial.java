package io.kipimo.schemas.rating;

/**
 * One experiment of a rating that is over.
 *
 * @param number from 1, in the order they were run
 * @param load in units of load
 * @param startedAtMillis epoch milliseconds
 * @param measuredMillis without the warm-up
 * @param prepareMillis to bring the target into its first state
 * @param throughput requests a second
 * @param remark why it is void, or ended early; may be empty
 */
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
    /** Whether nothing was learnt about the target. */
    public boolean isVoid() {
        return verdict == TrialVerdict.BOTTLENECK || verdict == TrialVerdict.LOST;
    }
}
