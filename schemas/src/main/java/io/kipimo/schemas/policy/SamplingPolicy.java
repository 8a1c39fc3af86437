package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;

/**
 * Settings of the adaptation of the sampling rate.
 *
 * @param minimumRate least sampling rate, in (0, 1]
 * @param maximumRate greatest sampling rate, in [minimumRate, 1]
 * @param targetHalfWidth half-width of the interval of the mean quality to reach, in (0, 1]
 * @param fixedRate above 0: use this rate always, without adaptation
 * @param extraLoad greatest share of late work that measuring may cause, relative to the work for answers, 0..1; 0: no
 *     limit
 */
@WithBuilder
public record SamplingPolicy(
        @Range(least = Range.LEAST_FRACTION, most = 1) double minimumRate,

        @Range(least = Range.LEAST_FRACTION, leastOf = "minimumRate", most = 1)
        double maximumRate,

        @Range(least = Range.LEAST_FRACTION, most = 1) double targetHalfWidth,
        @Range(most = 1) double fixedRate,
        @Range(most = 1) double extraLoad) {
    public static final SamplingPolicy DEFAULT = SamplingPolicyBuilder.builder()
            .minimumRate(0.005)
            .maximumRate(0.2)
            .targetHalfWidth(0.02)
            .extraLoad(0.05)
            .build();

    /** A builder with the defaults. */
    public static SamplingPolicyBuilder builder() {
        return DEFAULT.toBuilder();
    }

    /** A builder with the values of this policy. */
    public SamplingPolicyBuilder toBuilder() {
        return SamplingPolicyBuilder.builder(this);
    }
}
