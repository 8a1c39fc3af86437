package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;

/**
 * A PID in velocity form: {@code u += Kp (e - e') + Ki e dt - Kd (d - d')} (Ubora, sec. 8, names the controller and not
 * its form).
 *
 * <p>e is above 0 when quality is better than its objective, and then increases u. d is the slope of the <em>lost</em>
 * quality, 1 - measured, through a first-order low-pass filter. With the slope of the quality itself, the term would
 * increase u while quality falls. The derivative is of the measurement, not of the error, so a new objective causes no
 * jump.
 *
 * <p>Each step starts from the value in force, and u is clamped. So the integral does not wind up, a controller that is
 * switched on during operation causes no jump, and the next step starts from the value that a guard or an override set.
 */
final class PidController {

    /**
     * Gains of a {@link PidController}.
     *
     * @param kp gain on the change of the error, 0..100
     * @param ki gain on the error, a second, 0..100
     * @param kd gain on the change of the measurement's filtered slope, seconds, 0..1000
     * @param filterSeconds time constant of the slope's low-pass filter, above 0
     * @param floor least output
     * @param ceiling greatest output, at least {@code floor}
     */
    record PidGains(double kp, double ki, double kd, double filterSeconds, double floor, double ceiling) {
        public PidGains {
            Bounds.within("kp", kp, 0, 100);
            Bounds.within("ki", ki, 0, 100);
            Bounds.within("kd", kd, 0, 1000);
            Bounds.within("filterSeconds", filterSeconds, 1e-3, 1e9);
            Bounds.within("floor", floor, 0, 1);
            Bounds.within("ceiling", ceiling, floor, 1);
        }
    }

    /**
     * Least change of the output. A smaller change is kept until it has grown, since "from 48 % to 48 %" is no
     * decision.
     */
    private static final double LEAST_MOVE = 0.0125;

    private PidController() {}

    /**
     * One step. The first step only records its measurement as a reference and outputs {@code inForce}.
     *
     * @param error e, -1..1
     * @param measured quality, 0..1
     * @param stepMillis dt of the integral: time since the measurement before, even if a guard held that step
     * @param nowMillis time of the measurement
     */
    public static PidStep step(
            PidGains config,
            PidState state,
            double inForce,
            double error,
            double measured,
            long stepMillis,
            long nowMillis) {
        if (!state.isStarted()) {
            return new PidStep(
                    new PidState(error, measured, 0, nowMillis, 0),
                    Bounds.clamp(inForce, config.floor(), config.ceiling()));
        }
        double seconds = (nowMillis - state.atMillis()) / 1000.0;
        double slope = state.slope();
        if (seconds > 0) {
            double lossSlope = (state.measured() - measured) / seconds;
            slope += (lossSlope - slope) * seconds / (config.filterSeconds() + seconds);
        }
        double output = inForce
                + state.pending()
                + config.kp() * (error - state.error())
                + config.ki() * error * stepMillis / 1000.0
                - config.kd() * (slope - state.slope());
        double next = Bounds.clamp(output, config.floor(), config.ceiling());
        boolean isMove = Math.abs(next - inForce) >= LEAST_MOVE || next == config.floor() || next == config.ceiling();
        return new PidStep(
                new PidState(error, measured, slope, nowMillis, isMove ? 0 : next - inForce), isMove ? next : inForce);
    }
}
