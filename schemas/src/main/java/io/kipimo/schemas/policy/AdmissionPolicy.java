package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;

/**
 * Control of the admitted fraction of the lower classes; defaults in {@link #DEFAULT}.
 *
 * @param shadow decide and publish, change nothing
 * @param kp gain on the change of the error, admitted fraction per unit of quality
 * @param ki gain on the error, admitted fraction per unit of quality and second
 * @param kd gain on the filtered slope of the measurement, seconds
 * @param currentWeight weight of the current batch in the measurement, 0..1; the rest is the
 *     averaging window's (Ubora, sec. 8: 0.4)
 * @param timeOutObjective share of time-outs to keep with {@link Signal#TIME_OUTS}, 0..1
 * @param batchQueries queries of the highest class per control step
 * @param periodMillis longest time between control steps, and the heartbeat of decisions,
 *     milliseconds
 * @param minimumSamples with fewer measurements in the averaging window, the controller holds
 * @param minimumRatePerSecond with fewer answers per second, the controller holds
 * @param deadBand errors up to this much quality are ignored
 * @param slewUp greatest increase of the fraction per step
 * @param slewDown greatest decrease of the fraction per step
 * @param staleAfterPeriods the controller holds if the measurement is older than this many periods
 * @param leaseMillis how long a decision is valid, milliseconds
 * @param decayMillis time from the end of the lease to the safe fraction, milliseconds
 */
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
        @Range(most = Range.DAY_MILLIS) long decayMillis) {
    public static final AdmissionPolicy DEFAULT = builder().build();

    /** A copy with this shadow mode. */
    public AdmissionPolicy withShadow(boolean on) {
        return toBuilder().shadow(on).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder with the values of this policy. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builder that starts with the defaults. */
    public static final class Builder {
        private ControllerKind controller = ControllerKind.PID;
        private Signal signal = Signal.QUALITY;
        private boolean shadow = true;
        private double kp = 0.3;
        private double ki = 0.015;
        private double kd;
        private double currentWeight = 0.4;
        private double timeOutObjective = 0.1;
        private int batchQueries = 100;
        private long periodMillis = 10_000;
        private int minimumSamples = 20;
        private double minimumRatePerSecond = 0.1;
        private double deadBand = 0.01;
        private double slewUp = 0.1;
        private double slewDown = 0.5;
        private int staleAfterPeriods = 3;
        private long leaseMillis = 60_000;
        private long decayMillis = 60_000;

        private Builder() {}

        private Builder(AdmissionPolicy other) {
            controller = other.controller;
            signal = other.signal;
            shadow = other.shadow;
            kp = other.kp;
            ki = other.ki;
            kd = other.kd;
            currentWeight = other.currentWeight;
            timeOutObjective = other.timeOutObjective;
            batchQueries = other.batchQueries;
            periodMillis = other.periodMillis;
            minimumSamples = other.minimumSamples;
            minimumRatePerSecond = other.minimumRatePerSecond;
            deadBand = other.deadBand;
            slewUp = other.slewUp;
            slewDown = other.slewDown;
            staleAfterPeriods = other.staleAfterPeriods;
            leaseMillis = other.leaseMillis;
            decayMillis = other.decayMillis;
        }

        public Builder controller(ControllerKind value) {
            controller = value;
            return this;
        }

        public Builder signal(Signal value) {
            signal = value;
            return this;
        }

        public Builder shadow(boolean value) {
            shadow = value;
            return this;
        }

        public Builder kp(double value) {
            kp = value;
            return this;
        }

        public Builder ki(double value) {
            ki = value;
            return this;
        }

        public Builder kd(double value) {
            kd = value;
            return this;
        }

        public Builder currentWeight(double value) {
            currentWeight = value;
            return this;
        }

        public Builder timeOutObjective(double value) {
            timeOutObjective = value;
            return this;
        }

        public Builder batchQueries(int value) {
            batchQueries = value;
            return this;
        }

        public Builder periodMillis(long value) {
            periodMillis = value;
            return this;
        }

        public Builder minimumSamples(int value) {
            minimumSamples = value;
            return this;
        }

        public Builder minimumRatePerSecond(double value) {
            minimumRatePerSecond = value;
            return this;
        }

        public Builder deadBand(double value) {
            deadBand = value;
            return this;
        }

        public Builder slewUp(double value) {
            slewUp = value;
            return this;
        }

        public Builder slewDown(double value) {
            slewDown = value;
            return this;
        }

        public Builder staleAfterPeriods(int value) {
            staleAfterPeriods = value;
            return this;
        }

        public Builder leaseMillis(long value) {
            leaseMillis = value;
            return this;
        }

        public Builder decayMillis(long value) {
            decayMillis = value;
            return this;
        }

        public AdmissionPolicy build() {
            return new AdmissionPolicy(
                    controller,
                    signal,
                    shadow,
                    kp,
                    ki,
                    kd,
                    currentWeight,
                    timeOutObjective,
                    batchQueries,
                    periodMillis,
                    minimumSamples,
                    minimumRatePerSecond,
                    deadBand,
                    slewUp,
                    slewDown,
                    staleAfterPeriods,
                    leaseMillis,
                    decayMillis);
        }
    }
}
