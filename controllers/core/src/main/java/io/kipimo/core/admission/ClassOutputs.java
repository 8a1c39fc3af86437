package io.kipimo.core.admission;

import io.kipimo.core.guard.Bounds;
import io.kipimo.core.guard.ControlOutput;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Guards;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Computes the output for each class of a policy, in the policy's order, before the guards of the class act. */
final class ClassOutputs {
    /** Reasons of a control step that do not apply to the heartbeats after it. */
    private static final Set<DecisionReason> PASSING = EnumSet.of(
            DecisionReason.OPENED,
            DecisionReason.SHUT,
            DecisionReason.UNCHANGED,
            DecisionReason.FIRST_WINDOW,
            DecisionReason.HELD_IMPOSSIBLE_POLICY,
            DecisionReason.HELD_CATCHING_UP);

    private ClassOutputs() {}

    /** Outputs of a control step. */
    static List<ControlOutput<PidState>> moved(ControlTrace trace, ClassFractions fractions) {
        ControlOutput<PidState> decided = trace.decided();
        double amount = amount(trace, fractions);
        Map<String, Double> allotted = fractions.allot(amount);
        DecisionReason unmoved = amount == 0 ? decided.reason() : DecisionReason.NOT_ITS_TURN;
        return forEach(
                fractions,
                c -> output(decided.state(), fractions.at(c), allotted.get(c.name()), decided.reason(), unmoved));
    }

    /** Returns the change of the total load that a control step requests; below 0: to shed. */
    static double amount(ControlTrace trace, ClassFractions fractions) {
        return (trace.decided().value() - trace.opening()) * fractions.room();
    }

    /** Every class keeps its fraction. */
    static List<ControlOutput<PidState>> held(PidState pid, ClassFractions fractions, DecisionReason reason) {
        return forEach(fractions, c -> ControlOutput.hold(pid, fractions.at(c), reason));
    }

    /**
     * Returns the outputs of a heartbeat. Each class keeps its fraction, with two exceptions. If the policy switches
     * control off, the fractions go to the ceilings. If usable input stopped long ago, they go to the safe fractions;
     * in an idle service only fractions below the safe one move. Before the first usable input they stay, because
     * actuators have their own safe value.
     */
    static List<ControlOutput<PidState>> renewed(AdmissionState state, ClassFractions fractions) {
        AdmissionPolicy admission = fractions.policy().admission();
        if (admission.controller() == ControllerKind.NO_CONTROL) {
            return goingTo(ClassPolicy::ceiling, state, fractions, DecisionReason.NO_CONTROL);
        }
        long staleAfter = Guards.staleAfterMillis(admission);
        long fallbackAfter = staleAfter + admission.leaseMillis() + admission.decayMillis();
        DecisionReason renewed = whyRenewed(state, staleAfter, fractions.nowMillis());
        if (renewed == DecisionReason.HELD_NO_INPUT
                || state.usableMillis() == 0
                || !Guards.isStale(state.usableMillis(), fallbackAfter, fractions.nowMillis())) {
            return held(state.pid(), fractions, renewed);
        }
        return renewed == DecisionReason.HELD_IDLE
                ? goingTo(
                        c -> slowly(fractions, c, Math.max(fractions.at(c), c.safeFraction())),
                        state,
                        fractions,
                        renewed)
                : goingTo(c -> slowly(fractions, c, c.safeFraction()), state, fractions, DecisionReason.SAFE_FALLBACK);
    }

    /**
     * Returns a goal, limited to one slew step from the fraction in force. No measurement guides this step, so the slew
     * limits are parts of the class's own queries here.
     */
    private static double slowly(ClassFractions fractions, ClassPolicy c, double goal) {
        AdmissionPolicy admission = fractions.policy().admission();
        return Bounds.clamp(goal, fractions.at(c) - admission.slewDown(), fractions.at(c) + admission.slewUp());
    }

    private static DecisionReason whyRenewed(AdmissionState state, long staleAfter, long nowMillis) {
        if (state.lastWindowMillis() == 0) {
            return DecisionReason.HELD_NO_INPUT;
        }
        if (Guards.isStale(state.lastWindowMillis(), staleAfter, nowMillis)) {
            return DecisionReason.HELD_STALE;
        }
        return PASSING.contains(state.reason()) ? DecisionReason.RENEWED : state.reason();
    }

    private static List<ControlOutput<PidState>> goingTo(
            ToDoubleFunction<ClassPolicy> goal, AdmissionState state, ClassFractions fractions, DecisionReason reason) {
        return forEach(fractions, c -> output(state.pid(), fractions.at(c), goal.applyAsDouble(c), reason, reason));
    }

    private static ControlOutput<PidState> output(
            PidState pid, double inForce, double fraction, DecisionReason reason, DecisionReason unmoved) {
        return fraction == inForce
                ? ControlOutput.hold(pid, fraction, unmoved)
                : new ControlOutput<>(pid, fraction, DecisionMode.ACTIVE, reason);
    }

    private static List<ControlOutput<PidState>> forEach(
            ClassFractions fractions, Function<ClassPolicy, ControlOutput<PidState>> output) {
        return fractions.policy().classes().stream().map(output).toList();
    }
}
