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
 * Builds the control law that a policy names, PID or AIMD. The law gives a reason with each output.
 *
 * <p>Far from the objective the law steps by the load, not by gains (docs/steering.md, The law). An overloaded service
 * answers at most as many queries well as its capacity allows, so PID reduces the load to the part {@code quality /
 * objective} of itself. Clearly above the objective, the loss falls about exponentially when the load falls. So both
 * laws raise the load there by a multiple of {@code log((1 - objective) / loss)}. In between, PID acts by its gains and
 * AIMD by its steps.
 */
final class AdmissionLaw {
    /**
     * Relative rise of the load by which the loss is taken to grow e-fold. With queues at a deadline of 20 service
     * times, a rise of 0.03 does so.
     */
    private static final double HEADROOM = 0.05;

    /** A step up may raise the load by at least this part of it, however near the objective is. */
    private static final double LEAST_RISE = 0.04;

    /** Near a load that was too much, a step up may still raise the load by this part of it. */
    private static final double LEAST_PROBE = 0.015;

    /** Below a load that was too much, a step up raises the load by at most this part of the distance to it. */
    private static final double NEARER = 0.5;

    /** Above a load that was too much, a step up raises the load by at most this multiple of the distance to it. */
    private static final double AWAY = 1.5;

    /** If the load is below this part of a load that was carried well, one step raises it to there. */
    private static final double WELL_BELOW = 0.8;

    /**
     * Least part of the load that the second of several steps down sheds. With each further step the least part
     * doubles.
     */
    private static final double SECOND_STEP = 0.05;

    /** Time constant of the derivative's filter, in control periods. With 1, a step after one period counts half. */
    private static final double FILTER_PERIODS = 1;

    private AdmissionLaw() {}

    /** Returns the control law of a policy whose controller is PID or AIMD. */
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

    /** Steps by the load. The gains begin anew after such a step, because their error belongs to the load before it. */
    private static ControlOutput<PidState> stepTo(ControlInput input, double value, DecisionReason reason) {
        return new ControlOutput<>(PidState.UNSTARTED, Bounds.clamp(value, 0, 1), DecisionMode.ACTIVE, reason);
    }

    /**
     * Returns the greatest rise near a load that was too much. Below that load a rise halves the distance, and above it
     * rises grow again, as BIC does for a congestion window (Xu, Harfoush and Rhee, 2004). So the load is mostly just
     * below what is carried, and capacity that has come back is still found. Where shedding does not help, no load
     * counts as too much.
     */
    private static double probe(ControlInput input) {
        if (input.reachable() < 1) {
            return Double.POSITIVE_INFINITY;
        }
        double above = input.admitted() - input.missed();
        return Math.max(LEAST_PROBE * input.admitted(), above < 0 ? -above * NEARER : above * AWAY);
    }

    /**
     * Returns the part by which the load may rise. The further the loss is below the allowed one, the greater the part
     * is.
     */
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
