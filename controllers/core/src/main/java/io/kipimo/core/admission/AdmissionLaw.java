package io.kipimo.core.admission;

import io.kipimo.core.guard.ControlInput;
import io.kipimo.core.guard.ControlLaw;
import io.kipimo.core.guard.ControlOutput;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ControllerKind;

/** The control law that a policy names, and the reason of what it outputs. */
final class AdmissionLaw {
    /** Time constant of the derivative's filter: steps of one period count half. */
    private static final double FILTER_PERIODS = 1;

    private AdmissionLaw() {}

    /**
     * The law of a policy under PID or AIMD control. While quality is clear it opens as far as the slew limit allows: a
     * PID opens by its gain times the error, which is at most 1 - objective.
     */
    static ControlLaw<PidState> of(AdmissionPolicy admission) {
        ControlLaw<PidState> law = admission.controller() == ControllerKind.PID ? pid(admission) : AdmissionLaw::aimd;
        return (state, input) -> {
            ControlOutput<PidState> output = law.decide(state, input);
            return input.isClear() && input.inForce() < 1
                    ? new ControlOutput<>(output.state(), 1, DecisionMode.ACTIVE, DecisionReason.OPENED)
                    : output;
        };
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
