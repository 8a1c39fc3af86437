package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;

/**
 * Settings of trials of other replication factors on live traffic; defaults in {@link #DEFAULT}.
 *
 * @param settlingMillis time after a change that is not measured
 * @param minimumMillis least measured time before a judgement
 * @param maximumMillis measured time after which the trial ends, decided or not
 * @param batchMillis least length of a batch; the confidence interval is computed from the spread of batches
 * @param batchRequests least number of requests in a batch
 * @param minimumRequests least number of requests before a judgement
 * @param minimumBatches least number of batches before a judgement
 * @param confidence confidence of each bound before the end of the trial
 * @param lastConfidence confidence of each bound at the end
 * @param baselineError relative standard error of the baseline's target latency, 0..1; trials are compared with the
 *     baseline once its error is this small
 * @param minimumGain least relative decrease of the target latency that is worth another copy, 0..1
 */
@WithBuilder
public record TrialPolicy(
        @Range(most = Range.HOUR_MILLIS) long settlingMillis,

        @Range(most = Range.DAY_MILLIS, mostOf = "maximumMillis")
        long minimumMillis,

        @Range(least = 1, most = Range.DAY_MILLIS) long maximumMillis,

        @Range(least = 1, most = Range.DAY_MILLIS, mostOf = "maximumMillis")
        long batchMillis,

        @Range(least = 1, most = 1e6) int batchRequests,
        @Range(least = 1, most = 1e8) int minimumRequests,
        @Range(least = 3, most = 1000) int minimumBatches,
        @Range(least = 0.5, most = 0.9999) double confidence,
        @Range(least = 0.5, most = 0.9999) double lastConfidence,
        @Range(most = 1) double baselineError,
        @Range(most = 1) double minimumGain) {
    public static final TrialPolicy DEFAULT = TrialPolicyBuilder.builder()
            .settlingMillis(10_000)
            .minimumMillis(60_000)
            .maximumMillis(600_000)
            .batchMillis(20_000)
            .batchRequests(50)
            .minimumRequests(200)
            .minimumBatches(5)
            .confidence(0.95)
            .lastConfidence(0.8)
            .baselineError(0.05)
            .minimumGain(0.02)
            .build();

    /** A builder with the values of this policy. */
    public TrialPolicyBuilder toBuilder() {
        return TrialPolicyBuilder.builder(this);
    }
}
