package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;

/**
 * Trials of other factors on live traffic; defaults in {@link #DEFAULT}.
 *
 * @param settlingMillis time after a change that is not measured
 * @param minimumMillis least measured time before a judgement
 * @param maximumMillis measured time after which the trial ends, decided or not
 * @param batchMillis least length of a batch; the interval is computed from the spread of batches
 * @param batchRequests least number of requests in a batch
 * @param minimumRequests least number of requests before a judgement
 * @param minimumBatches least number of batches before a judgement
 * @param confidence confidence of each bound before the end of the trial
 * @param lastConfidence confidence of each bound at the end
 * @param baselineError standard error of the baseline's target, as a share of it, below which
 *     trials are compared with the baseline
 * @param minimumGain smallest share of the target that is worth another copy, 0..1
 */
public record TrialPolicy(
        @Range(most = Range.HOUR_MILLIS) long settlingMillis,
        @Range(most = Range.DAY_MILLIS, mostOf = "maximumMillis") long minimumMillis,
        @Range(least = 1, most = Range.DAY_MILLIS) long maximumMillis,
        @Range(least = 1, most = Range.DAY_MILLIS, mostOf = "maximumMillis") long batchMillis,
        @Range(least = 1, most = 1e6) int batchRequests,
        @Range(least = 1, most = 1e8) int minimumRequests,
        @Range(least = 3, most = 1000) int minimumBatches,
        @Range(least = 0.5, most = 0.9999) double confidence,
        @Range(least = 0.5, most = 0.9999) double lastConfidence,
        @Range(most = 1) double baselineError,
        @Range(most = 1) double minimumGain) {
    public static final TrialPolicy DEFAULT = builder().build();

    public static Builder builder() {
        return new Builder();
    }

    /** A builder with the values of this policy. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builder that starts with the defaults. */
    public static final class Builder {
        private long settlingMillis = 10_000;
        private long minimumMillis = 60_000;
        private long maximumMillis = 600_000;
        private long batchMillis = 20_000;
        private int batchRequests = 50;
        private int minimumRequests = 200;
        private int minimumBatches = 5;
        private double confidence = 0.95;
        private double lastConfidence = 0.8;
        private double baselineError = 0.05;
        private double minimumGain = 0.02;

        private Builder() {}

        private Builder(TrialPolicy other) {
            settlingMillis = other.settlingMillis;
            minimumMillis = other.minimumMillis;
            maximumMillis = other.maximumMillis;
            batchMillis = other.batchMillis;
            batchRequests = other.batchRequests;
            minimumRequests = other.minimumRequests;
            minimumBatches = other.minimumBatches;
            confidence = other.confidence;
            lastConfidence = other.lastConfidence;
            baselineError = other.baselineError;
            minimumGain = other.minimumGain;
        }

        public Builder settlingMillis(long value) {
            settlingMillis = value;
            return this;
        }

        public Builder minimumMillis(long value) {
            minimumMillis = value;
            return this;
        }

        public Builder maximumMillis(long value) {
            maximumMillis = value;
            return this;
        }

        public Builder batchMillis(long value) {
            batchMillis = value;
            return this;
        }

        public Builder batchRequests(int value) {
            batchRequests = value;
            return this;
        }

        public Builder minimumRequests(int value) {
            minimumRequests = value;
            return this;
        }

        public Builder minimumBatches(int value) {
            minimumBatches = value;
            return this;
        }

        public Builder confidence(double value) {
            confidence = value;
            return this;
        }

        public Builder lastConfidence(double value) {
            lastConfidence = value;
            return this;
        }

        public Builder baselineError(double value) {
            baselineError = value;
            return this;
        }

        public Builder minimumGain(double value) {
            minimumGain = value;
            return this;
        }

        public TrialPolicy build() {
            return new TrialPolicy(
                    settlingMillis,
                    minimumMillis,
                    maximumMillis,
                    batchMillis,
                    batchRequests,
                    minimumRequests,
                    minimumBatches,
                    confidence,
                    lastConfidence,
                    baselineError,
                    minimumGain);
        }
    }
}
