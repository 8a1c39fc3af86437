package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.Range;
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
 * @param remark reason why the experiment is void or was ended early; may be empty
 */
@WithBuilder
public record RatingTrial(
        @Range(least = 1, most = RatingTrial.MOST) int number,
        @Range(least = 1, most = SearchTerms.MOST_LOAD) long load,
        TrialPurpose purpose,
        @Range(least = 1, most = Range.LATEST_MILLIS) long startedAtMillis,
        @Range(most = Range.LONGEST_MICROS / 1000) long measuredMillis,
        @Range(most = Range.LONGEST_MICROS / 1000) long prepareMillis,
        TrialVerdict verdict,
        @Range(most = 1e15) double throughput,
        ExperimentCounts counts,
        @Range(most = Range.LONGEST_MICROS) double meanMicros,
        @Range(most = Range.LONGEST_MICROS) long p50Micros,
        @Range(most = Range.LONGEST_MICROS) long p95Micros,
        @Range(most = Range.LONGEST_MICROS) long p99Micros,
        String remark) {
    /** Greatest number of experiments: a rating runs some more than its search. */
    public static final int MOST = 2 * SearchTerms.MOST_EXPERIMENTS;

    /** Whether the experiment yielded no information about the target. */
    public boolean isVoid() {
        return verdict == TrialVerdict.BOTTLENECK || verdict == TrialVerdict.LOST;
    }
}
