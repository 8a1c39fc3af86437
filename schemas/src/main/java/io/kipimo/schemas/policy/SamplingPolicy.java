package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;

/**
 * Adaptation of the sampling rate.
 *
 * @param minimumRate fraction, in (0, 1]
 * @param maximumRate fraction, in [minimumRate, 1]
 * @param targetHalfWidth half-width of the stratified interval to reach, in (0, 1)
 * @param fixedRate above 0: use this rate always, without adaptation
 * @param extraLoad greatest share of late work that measuring may cause, relative to the work for
 *     answers, 0..1; 0: no limit
 */
public record SamplingPolicy(
        @Range(least = Range.LEAST_FRACTION, most = 1) double minimumRate,
        @Range(least = Range.LEAST_FRACTION, leastOf = "minimumRate", most = 1) double maximumRate,
        @Range(least = Range.LEAST_FRACTION, most = 1) double targetHalfWidth,
        @Range(most = 1) double fixedRate,
        @Range(most = 1) double extraLoad) {
    public static final SamplingPolicy DEFAULT = builder().build();

    public static Builder builder() {
        return new Builder();
    }

    /** A builder with the values of this policy. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builder that starts with the defaults. */
    public static final class Builder {
        private double minimumRate = 0.005;
        private double maximumRate = 0.2;
        private double targetHalfWidth = 0.02;
        private double fixedRate;
        private double extraLoad = 0.05;

        private Builder() {}

        private Builder(SamplingPolicy other) {
            minimumRate = other.minimumRate;
            maximumRate = other.maximumRate;
            targetHalfWidth = other.targetHalfWidth;
            fixedRate = other.fixedRate;
            extraLoad = other.extraLoad;
        }

        public Builder minimumRate(double value) {
            minimumRate = value;
            return this;
        }

        public Builder maximumRate(double value) {
            maximumRate = value;
            return this;
        }

        public Builder targetHalfWidth(double value) {
            targetHalfWidth = value;
            return this;
        }

        public Builder fixedRate(double value) {
            fixedRate = value;
            return this;
        }

        public Builder extraLoad(double value) {
            extraLoad = value;
            return this;
        }

        public SamplingPolicy build() {
            return new SamplingPolicy(
                    minimumRate, maximumRate, targetHalfWidth, fixedRate, extraLoad);
        }
    }
}
