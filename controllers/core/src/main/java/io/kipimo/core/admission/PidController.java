package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;

/**
 * A PID in velocity form: {@code u += Kp (e - e') + Ki e dt - Kd (d - d')} (Ubora, sec. 8, names
 * the controller and not its form).
 *
 * <p>e is above 0 when quality is better than its objective, and then opens the gate. d is the
 * slope of the <em>lost</em> quality, 1 - measured, through a first-order low-pass filter; taken of
 * the quality itself, the term's sign would push the gate open while quality falls. It is on the
 * measurement, so a new objective gives no kick.
 *
 * <p>u starts from the value in force each time and is clamped, so nothing winds up, a controller
 * that is switched on in mid-flight does not jump, and what a guard or a person put in force is
 * what the next step starts from.
 */
public final class PidController {
    private PidController() {}

    /**
     * One step. The first one only takes its bearings and puts out {@code inForce}.
     *
     * @param error e, -1..1
     * @param measured quality, 0..1
     * @param stepMillis dt of the integral: since the measurement before, whether that was acted on
     *     or not
     * @param nowMillis time of the measurement
     */
    public static PidStep step(
            PidConfig config,
            PidState state,
            double inForce,
            double error,
            double measured,
            long stepMillis,
            long nowMillis) {
        if (!state.isStarted()) {
            return new PidStep(
                    new PidState(error, measured, 0, nowMillis),
                    Bounds.clamp(inForce, config.floor(), config.ceiling()));
        }
        double seconds = (nowMillis - state.atMillis()) / 1000.0;
        double slope = state.slope();
        if (seconds > 0) {
            double lossSlope = (state.measured() - measured) / seconds;
            slope += (lossSlope - slope) * seconds / (config.filterSeconds() + seconds);
        }
        double output =
                inForce
                        + config.kp() * (error - state.error())
                        + config.ki() * error * stepMillis / 1000.0
                        - config.kd() * (slope - state.slope());
        return new PidStep(
                new PidState(error, measured, slope, nowMillis),
                Bounds.clamp(output, config.floor(), config.ceiling()));
    }
}
