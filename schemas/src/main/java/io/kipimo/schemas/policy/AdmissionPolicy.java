package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;

/**
 * Settings of the control of the lower classes' admitted fraction; defaults in {@link #DEFAULT}.
 *
 * @param shadow whether decisions are published, but not applied
 * @param kp gain on the change of the error, admitted fraction per unit of quality
 * @param ki gain on the error, admitted fraction per unit of quality and second
 * @param kd gain on the filtered slope of the measurement, seconds
 * @param currentWeight weight of the current batch in the measurement, 0..1; the averaging window has the rest of the
 *     weight (Ubora, sec. 8: 0.4)
 * @param timeOutObjective share of time-outs to keep with {@link Signal#TIME_OUTS}, 0..1
 * @param batchQueries queries of the highest class per control step; the first step after a start or idleness takes a
 *     tenth
 * @param periodMillis longest time between control steps, and the heartbeat of decisions, milliseconds
 * @param minimumSamples least number of measurements in the averaging window; with fewer, the controller holds
 * @param minimumRatePerSecond least number of answers per second; with fewer, the controller holds
 * @param deadBand greatest error that the controller ignores, in units of quality
 * @param slewUp greatest increase per step, as a part of the admitted load; a step back to a load that was carried
 *     before may be greater
 * @param slewDown greatest decrease per step, as a part of the admitted load
 * @param staleAfterPeriods greatest age of the measurement, in periods; if it is older, the controller holds
 * @param leaseMillis time for which a decision is valid, milliseconds
 * @param decayMillis time from the end of the lease to the safe fraction, milliseconds
 */
@WithBuilder
public record AdmissionPolicy(
        ControllerKind controller,
        Signal signal,
        boolean shadow,
        @Range(most = 100) double kp,
        @Range(most = 100) double ki,
        @Range(most = 1000) double kd,
        @Range(most = 1) double currentWeight,
        @Range(most = 1) double timeOutObjective,
        @Range(least = 1, most = 1e9) int batchQueries,
        @Range(least = 100, most = Range.DAY_MILLIS) long periodMillis,
        @Range(least = 1, most = 1e6) int minimumSamples,
        @Range(most = 1e9) double minimumRatePerSecond,
        @Range(most = 1) double deadBand,
        @Range(least = Range.LEAST_FRACTION, most = 1) double slewUp,
        @Range(least = Range.LEAST_FRACTION, most = 1) double slewDown,
        @Range(least = 1, most = 1000) int staleAfterPeriods,
        @Range(least = 100, most = Range.DAY_MILLIS) long leaseMillis,
        @Range(most = Range.DAY_MILLIS) long decayMillis)
        implements AdmissionPolicyBuilder.With {
    public static final AdmissionPolicy DEFAULT = AdmissionPolicyBuilder.builder()
            .controller(ControllerKind.PID)
            .signal(Signal.QUALITY)
            .shadow(true)
            .kp(0.3)
            .ki(0.015)
            .currentWeight(0.4)
            .timeOutObjective(0.1)
            .batchQueries(100)
            .periodMillis(10_000)
            .minimumSamples(20)
            .minimumRatePerSecond(0.1)
            .deadBand(0.01)
            .slewUp(0.25)
            .slewDown(0.5)
            .staleAfterPeriods(3)
            .leaseMillis(60_000)
            .decayMillis(60_000)
            .build();

    /** A builder with the defaults. */
    public static AdmissionPolicyBuilder builder() {
        return DEFAULT.toBuilder();
    }

    /** A builder with the values of this policy. */
    public AdmissionPolicyBuilder toBuilder() {
        return AdmissionPolicyBuilder.builder(this);
    }
}
