package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;
import io.kipimo.core.guard.ControlInput;
import io.kipimo.core.guard.ControlLaw;
import io.kipimo.core.guard.ControlOutput;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ControllerKind;

/**
 * The control law that a policy names, and the reason of what it outputs.
 *
 * <p>Far from the objective all laws step by the load, not by gains (docs/steering.md, The law). An overloaded service
 * answers its capacity well at the most, so the load goes to the part {@code quality / objective} of itself. While
 * quality is clear of its objective, the loss falls about exponentially with the load, so the load rises by a multiple
 * of {@code log((1 - objective) / loss)}. The gains act in between.
 */
final class AdmissionLaw {
    /**
     * Relative rise of the load by which the loss grows e-fold, at the most cautious: queues at a deadline of 20
     * service times need 0.03.
     */
    private static final double HEADROOM = 0.05;

    /** A step up raises the load by at least this part, */
    private static final double LEAST_RISE = 0.04;

    /** or by this part near a load that was too much. */
    private static final double LEAST_PROBE = 0.015;

    /** Of the distance to a load that was too much, a step up takes this part, */
    private static final double NEARER = 0.5;

    /** and this much of the distance once that load is carried. */
    private static final double AWAY = 1.5;

    /** Up to this part of a load that was carried well, a step opens at once. */
    private static final double WELL_BELOW = 0.8;

    /** A second step down takes at least this part of the load, the next ones twice as much each. */
    private static final double SECOND_STEP = 0.05;

    /** Time constant of the derivative's filter: steps of one period count half. */
    private static final double FILTER_PERIODS = 1;

    private AdmissionLaw() {}

    /** The law of a policy under PID or AIMD control. */
    static ControlLaw<PidState> of(AdmissionPolicy admission) {
        ControlLaw<PidState> law = admission.controller() == ControllerKind.PID ? pid(admission) : AdmissionLaw::aimd;
        return (state, input) -> {
            if (input.isClear() && input.inForce() < 1) {
                double known = Double.isFinite(input.carried())
                        ? WELL_BELOW * input.carried() - input.admitted()
                        : input.admitted();
                double rise = Math.min(Math.min(admission.slewUp(), headroom(input)) * input.admitted(), probe(input));
                return stepTo(input, input.inForce() + Math.max(known, rise), DecisionReason.OPENED);
            }
            double least = input.inForce() - admission.slewDown() * input.admitted();
            if (admission.controller() == ControllerKind.PID && input.isShownBad() && input.inForce() > 0) {
                double part = Math.max(
                        1 - Math.max(input.newest(), input.best()) / input.objective(),
                        input.stepsDown() == 0 ? 0 : SECOND_STEP * Math.scalb(1.0, input.stepsDown() - 1));
                double above = input.admitted() - input.carried();
                double shed = above > 0 ? above : part * input.admitted();
                return stepTo(input, Math.max(least, input.inForce() - shed), DecisionReason.SHUT);
            }
            ControlOutput<PidState> output = law.decide(state, input);
            return output.withValue(
                    Bounds.clamp(output.value(), least, input.inForce() + admission.slewUp() * input.admitted()));
        };
    }

    /** The gains begin anew after a step, since their error is of another load. */
    private static ControlOutput<PidState> stepTo(ControlInput input, double value, DecisionReason reason) {
        return new ControlOutput<>(PidState.UNSTARTED, Bounds.clamp(value, 0, 1), DecisionMode.ACTIVE, reason);
    }

    /**
     * Greatest rise near a load that was too much: it halves the distance, and grows again beyond, as BIC does for a
     * congestion window (Xu, Harfoush and Rhee, 2004). So most of the time the load is just below what is carried, and
     * capacity that is back is found all the same. Where shedding does not help, no load is too much.
     */
    private static double probe(ControlInput input) {
        if (input.reachable() < 1) {
            return Double.POSITIVE_INFINITY;
        }
        double above = input.admitted() - input.missed();
        return Math.max(LEAST_PROBE * input.admitted(), above < 0 ? -above * NEARER : above * AWAY);
    }

    /** Part by which the load may rise. */
    private static double headroom(ControlInput input) {
        double loss = Math.max(input.reachable() - input.low() + input.chance(), 1e-9);
        return Math.max(LEAST_RISE, HEADROOM * Math.log((input.reachable() - input.objective()) / loss));
    }

    private static ControlLaw<PidState> pid(AdmissionPolicy admission) {
        double filterSeconds = FILTER_PERIODS * admission.periodMillis() / 1000.0;
        PidController.PidGains config =
                new PidController.PidGains(admission.kp(), admission.ki(), admission.kd(), filterSeconds, 0, 1);
        return (pid, input) -> {
            PidStep step = PidController.step(
                    config,
                    pid,
                    input.inForce(),
                    input.error(),
                    input.measured(),
                    input.stepMillis(),
                    input.asOfMillis());
            DecisionReason reason = pid.isStarted() ? reason(input, step.output()) : DecisionReason.FIRST_WINDOW;
            return new ControlOutput<>(step.next(), step.output(), DecisionMode.ACTIVE, reason);
        };
    }

    private static ControlOutput<PidState> aimd(PidState pid, ControlInput input) {
        double output = AimdController.step(AimdController.Steps.DEFAULT, input.inForce(), input.error());
        return new ControlOutput<>(pid, output, DecisionMode.ACTIVE, reason(input, output));
    }

    private static DecisionReason reason(ControlInput input, double output) {
        if (output > input.inForce()) {
            return DecisionReason.OPENED;
        }
        if (output < input.inForce()) {
            return DecisionReason.SHUT;
        }
        boolean isAtLimit = input.inForce() <= 0 || input.inForce() >= 1;
        if (input.error() == 0 || !isAtLimit) {
            return input.whyLowEndFalls() == DecisionReason.HELD_PARTLY_MEASURABLE
                    ? DecisionReason.HELD_PARTLY_MEASURABLE
                    : DecisionReason.UNCHANGED;
        }
        return input.error() > 0 ? DecisionReason.AT_CEILING : DecisionReason.AT_FLOOR;
    }
}
