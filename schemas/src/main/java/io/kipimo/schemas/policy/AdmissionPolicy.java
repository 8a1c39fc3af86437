package io.kipimo.schemas.policy;

/**
 * How the admitted fraction of the lower classes is steered; defaults in {@link #DEFAULT}.
 *
 * @param shadow decide and publish, change nothing
 * @param kp gain on the change of the error, fraction admitted a unit of quality
 * @param ki gain on the error, fraction admitted a unit of quality and second
 * @param kd gain on the filtered slope of the measurement, seconds
 * @param currentWeight weight of the current batch in the measurement, the rest is the averaged
 *     window, 0..1 (Ubora, sec. 8: 0.4)
 * @param timeOutObjective time-out share to keep with {@link Signal#TIME_OUTS}, 0..1
 * @param batchQueries queries of the highest class a control step
 * @param periodMillis longest time between control steps, and the heartbeat of decisions,
 *     milliseconds
 * @param minimumSamples fewer measurements in the averaging window hold the controller
 * @param minimumRatePerSecond fewer answers a second hold it too
 * @param deadBand errors of at most this much quality change nothing
 * @param slewUp greatest rise of the fraction a step
 * @param slewDown greatest fall of the fraction a step
 * @param staleAfterPeriods a measurement older than this many periods holds
 * @param leaseMillis how long a decision is valid, milliseconds
 * @param decayMillis from the end of the lease to the safe fraction, milliseconds
 */
public record AdmissionPolicy(
        ControllerKind controller,
        Signal signal,
        boolean shadow,
        double kp,
        double ki,
        double kd,
        double currentWeight,
        double timeOutObjective,
        int batchQueries,
        long periodMillis,
        int minimumSamples,
        double minimumRatePerSecond,
        double deadBand,
        double slewUp,
        double slewDown,
        int staleAfterPeriods,
        long leaseMillis,
        long decayMillis) {
    public static final AdmissionPolicy DEFAULT =
            new AdmissionPolicy(
                    ControllerKind.PID,
                    Signal.QUALITY,
                    true,
                    0.3,
                    0.015,
                    0,
                    0.4,
                    0.1,
                    100,
                    10_000,
                    20,
                    0.1,
                    0.01,
                    0.1,
                    0.5,
                    3,
                    60_000,
                    60_000);

    /** The same, in shadow mode or not. */
    public AdmissionPolicy withShadow(boolean on) {
        return new AdmissionPolicy(
                controller,
                signal,
                on,
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
