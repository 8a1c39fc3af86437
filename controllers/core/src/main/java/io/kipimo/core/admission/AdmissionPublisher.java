package io.kipimo.core.admission;

import io.kipimo.core.guard.ControlInput;
import io.kipimo.core.guard.ControlOutput;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Guard;
import io.kipimo.core.guard.Guards;
import io.kipimo.core.guard.Step;
import io.kipimo.schemas.decision.CostStep;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Applies the guards of each class to the class's output, and makes the decisions. */
record AdmissionPublisher(ClassFractions fractions, long epoch) {
    /**
     * Reasons that rest on no measurement. A decision with such a reason states the present time as that of its
     * evidence.
     */
    private static final Set<DecisionReason> WITHOUT_INPUT = EnumSet.of(
            DecisionReason.PROTECTED,
            DecisionReason.OVERRIDE,
            DecisionReason.KILL_SWITCH,
            DecisionReason.NO_CONTROL,
            DecisionReason.SAFE_FALLBACK);

    /**
     * Publishes one decision for each class. While the job works off a backlog, it publishes manual decisions only.
     *
     * @param outputs in the order of the policy's classes
     */
    Step<AdmissionState, Decision> publish(AdmissionState state, List<ControlOutput<PidState>> outputs) {
        Map<String, InForce> inForce = new HashMap<>();
        List<Decision> decisions = new ArrayList<>();
        long sequence = state.epoch() == epoch ? state.sequence() : 0;
        for (int i = 0; i < outputs.size(); i++) {
            ClassPolicy c = policy().classes().get(i);
            ControlOutput<PidState> guarded = guarded(c, outputs.get(i));
            boolean published = !state.catchingUp() || guarded.mode() == DecisionMode.MANUAL;
            if (published) {
                decisions.add(decision(c, guarded, ++sequence, state));
            }
            InForce known = state.inForce().get(c.name());
            if (published && guarded.mode().isEffective()) {
                inForce.put(c.name(), new InForce(unsigned(guarded.value()), validUntilMillis()));
            } else if (known != null) {
                inForce.put(c.name(), known);
            }
        }
        return new Step<>(state.published(epoch, sequence, inForce, fractions.nowMillis()), decisions);
    }

    private Policy policy() {
        return fractions.policy();
    }

    private long validUntilMillis() {
        return fractions.nowMillis() + policy().admission().leaseMillis();
    }

    private ControlOutput<PidState> guarded(ClassPolicy c, ControlOutput<PidState> output) {
        if (fractions.isProtected(c)) {
            return new ControlOutput<>(
                    output.state(),
                    1,
                    policy().admission().shadow() ? DecisionMode.SHADOW : DecisionMode.HOLD,
                    DecisionReason.PROTECTED);
        }
        List<Guard<PidState>> guards = Guards.ofClass(policy(), c);
        return Guard.around(guards, (pid, input) -> output)
                .decide(output.state(), ControlInput.of(fractions.at(c), fractions.nowMillis()));
    }

    private Decision decision(ClassPolicy c, ControlOutput<PidState> output, long sequence, AdmissionState state) {
        Figures figures = state.figures();
        long nowMillis = fractions.nowMillis();
        double value = unsigned(output.value());
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope(policy().serviceClass(c).toString())
                .epoch(epoch)
                .sequence(sequence)
                .issuedAtMillis(nowMillis)
                .asOfMillis(WITHOUT_INPUT.contains(output.reason()) ? nowMillis : figures.asOfMillis())
                .validUntilMillis(validUntilMillis())
                .value(value)
                .previous(unsigned(fractions.at(c)))
                .samples(figures.samples())
                .mode(output.mode())
                .reason(output.reason().name())
                .configVersion(policy().version())
                .measured(figures.measured())
                .low(figures.low())
                .high(figures.high())
                .objective(unsigned(figures.objective()))
                .costOrder(
                        output.mode() == DecisionMode.MANUAL
                                ? List.of()
                                : costOrder(c, value, state.costs().get(c.name())))
                .build();
    }

    /**
     * Returns the admitted fractions by predicted cost. Empty, which means uniform admission, if the costs are older
     * than one averaging window.
     */
    private List<CostStep> costOrder(ClassPolicy c, double value, CostProfile costs) {
        boolean isOld = costs == null || fractions.nowMillis() - costs.asOfMillis() > policy().windowMillis();
        return isOld ? List.of() : CostOrder.steps(costs.deciles(), value, c.costOrder());
    }

    /** A policy may contain -0, which is a valid fraction. Decisions publish it as 0. */
    private static double unsigned(double fraction) {
        return fraction + 0.0;
    }
}
