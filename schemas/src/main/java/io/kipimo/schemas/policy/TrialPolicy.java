package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;

/**
 * How other factors are tried on live traffic; defaults in {@link #DEFAULT}.
 *
 * @param settlingMillis after a change, in which nothing is measured
 * @param minimumMillis least measuring time before a judgement
 * @param maximumMillis after so much measuring the trial ends, decided or not
 * @param batchMillis least length of a batch, of whose spread the interval comes
 * @param batchRequests least requests of a batch
 * @param minimumRequests least requests before a judgement
 * @param minimumBatches least batches before a judgement
 * @param confidence of each bound of a judgement before the end
 * @param lastConfidence the same at the end
 * @param baselineError standard error of the baseline's target, as a share of it, from which on
 *     trials are compared with it
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

    /** A builder that has the values of this one. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Sets what differs from the defaults. */
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
