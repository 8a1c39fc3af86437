package io.kipimo.core.admission;

import io.kipimo.core.guard.ControlInput;
import io.kipimo.core.guard.ControlLaw;
import io.kipimo.core.guard.ControlOutput;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Guard;
import io.kipimo.core.guard.Guards;
import io.kipimo.core.guard.LastMove;
import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.List;
import java.util.Optional;

/**
 * One step of the admission loop. It moves the opening, which is the opened part of the room between the floors and
 * ceilings of the lower classes. {@link BatchInput} adds a window to the state, {@link AdmissionLaw} moves the opening
 * within the limits of the guards, {@link ClassOutputs} allots it to the classes, and {@link AdmissionPublisher} makes
 * the decisions.
 *
 * @param state before the step
 * @param fractions in force before the step
 */
record AdmissionControlStep(AdmissionState state, StepContext<Policy> context, ClassFractions fractions) {

    AdmissionControlStep(AdmissionState state, StepContext<Policy> context) {
        this(state, context, ClassFractions.of(state, context.policy(), context.nowMillis()));
    }

    /** Returns the state after a window that is too old to act on. */
    AdmissionState catchUp(QualityWindow batch) {
        return new BatchInput(batch, fractions).observedBy(state, true);
    }

    /** Makes a control step on a window that ends later than all earlier ones and is not too old to act on. */
    Step<AdmissionState, Decision> move(QualityWindow batch) {
        AdmissionState observed = observed(batch);
        ControlTrace trace = trace(new BatchInput(batch, fractions), observed);
        EffectTest effect = effect(trace, observed);
        trace = unlessInVain(trace, effect, observed);
        ControlOutput<PidState> decided = trace.decided();
        LastMove lastMove = lastMove(trace, observed);
        return publish(
                observed.after(
                                decided.state(),
                                lastMove,
                                decided.reason().isBlind() ? observed.usableMillis() : batch.endMillis(),
                                decided.reason())
                        .withLoad(load(trace, observed.load()))
                        .withEffect(effect)
                        .withEvidence(
                                lastMove.equals(observed.lastMove()) ? observed.evidence() : SettingEvidence.NONE),
                ClassOutputs.moved(trace, fractions));
    }

    private LoadMemory load(ControlTrace trace, LoadMemory load) {
        if (trace.decided().reason() == DecisionReason.SHUT) {
            return load.missedAt(trace.opening());
        }
        return trace.input().filter(i -> i.low() >= i.objective()).isPresent()
                ? load.carried(fractions.admitted())
                : load;
    }

    /** Returns the test after the step. It may then have found that shedding does not help. */
    private EffectTest effect(ControlTrace trace, AdmissionState observed) {
        EffectTest test = observed.effect();
        SettingEvidence evidence = observed.evidence();
        Optional<ControlInput> input = trace.input();
        boolean wantsLess =
                trace.decided().value() < trace.opening() || trace.decided().reason() == DecisionReason.AT_FLOOR;
        if (wantsLess && isTestable(trace, observed)) {
            ControlInput now = input.get();
            EffectTest.Present present = present(trace, observed);
            return test.isDue(present) ? test : test.wanting(present, now.measured(), context.nowMillis());
        }
        boolean isKept = evidence.answers() > 0
                && input.filter(i -> evidence.mean() - i.chance() >= i.objective())
                        .isPresent();
        boolean isReached = isKept
                && isLong(observed)
                && evidence.mean() - input.get().chance() >= observed.figures().objective();
        if (isReached) {
            return EffectTest.NONE;
        }
        return isKept || trace.decided().value() > trace.opening() ? test.recovered() : test;
    }

    /**
     * Whether the step can be tested: there is evidence, and all answers are measurable. Nobody knows whether
     * unmeasurable answers got better.
     */
    private static boolean isTestable(ControlTrace trace, AdmissionState observed) {
        return observed.evidence().answers() > 0
                && trace.input().filter(i -> i.measurableShare() >= 1).isPresent();
    }

    private boolean isLong(AdmissionState observed) {
        return observed.lastWindowMillis() - observed.evidence().sinceMillis()
                >= context.policy().windowMillis();
    }

    private EffectTest.Present present(ControlTrace trace, AdmissionState observed) {
        SettingEvidence evidence = observed.evidence();
        return new EffectTest.Present(
                evidence.mark(
                        trace.input().orElseThrow().objective(),
                        fractions.admitted(),
                        trace.opening(),
                        observed.signals().lossPerTimeOut()),
                fractions.admitted() - trace.opening() * fractions.room(),
                evidence.markAt(trace.input().orElseThrow().objective()),
                isLong(observed));
    }

    /**
     * Changes a step if shedding does not help. If that was found just now, the opening goes back to where it was
     * before the steps down. If enough load is gone and the effect is not known yet, a further step down waits. If the
     * objective is out of reach and quality misses it, the decision says so by its reason.
     */
    private ControlTrace unlessInVain(ControlTrace trace, EffectTest effect, AdmissionState observed) {
        if (effect.vainUntilMillis() > observed.effect().vainUntilMillis()) {
            double before = Math.max(trace.opening(), effect.base().opening());
            return before > trace.opening() && !mayRise()
                    ? trace.with(ControlOutput.hold(observed.pid(), trace.opening(), DecisionReason.HELD_AWAITING_TURN))
                    : trace.with(new ControlOutput<>(
                            PidState.UNSTARTED, before, DecisionMode.ACTIVE, DecisionReason.SHEDDING_DOES_NOT_HELP));
        }
        boolean sheds = trace.decided().value() < trace.opening();
        if (sheds && isTestable(trace, observed) && effect.isDue(present(trace, observed))) {
            return trace.with(ControlOutput.hold(observed.pid(), trace.opening(), DecisionReason.HELD_AWAITING_EFFECT));
        }
        ControlOutput<PidState> decided = trace.decided();
        boolean isOutOfReach = trace.input()
                .filter(i -> i.reachable() < 1)
                .filter(i -> (decided.value() > trace.opening() ? i.low() : i.measured())
                        < observed.figures().objective())
                .isPresent();
        return isOutOfReach && !sheds && decided.mode() == DecisionMode.ACTIVE
                ? trace.with(new ControlOutput<>(
                        decided.state(), decided.value(), decided.mode(), DecisionReason.SHEDDING_DOES_NOT_HELP))
                : trace;
    }

    private boolean mayRise() {
        return context.lock().isFreeFor(Mover.ADMISSION, context.nowMillis());
    }

    /**
     * Returns the newest move: that of this step if it moved, otherwise the one before. A shadow decision is no move,
     * since it has no effect for which the next step would have to wait.
     */
    private LastMove lastMove(ControlTrace trace, AdmissionState observed) {
        boolean moved = ClassOutputs.amount(trace, fractions) != 0
                && !context.policy().admission().shadow();
        return moved
                ? new LastMove(
                        context.nowMillis(),
                        trace.input().map(ControlInput::newest).orElse(1.0))
                : observed.lastMove();
    }

    /** Returns the state with the window added, before the control step. */
    AdmissionState observed(QualityWindow batch) {
        AdmissionState observed = new BatchInput(batch, fractions).observedBy(state, false);
        return observed.withLoad(
                observed.load().settled(fractions, observed.effect().steps()));
    }

    /** Computes the control step of {@link #move}, up to the point where the opening is allotted to the classes. */
    ControlTrace trace(QualityWindow batch) {
        AdmissionState observed = observed(batch);
        ControlTrace trace = trace(new BatchInput(batch, fractions), observed);
        return unlessInVain(trace, effect(trace, observed), observed);
    }

    private ControlTrace trace(BatchInput batchInput, AdmissionState observed) {
        AdmissionPolicy admission = context.policy().admission();
        double opening = fractions.opening();
        PidState pid = observed.pid();
        Optional<ControlInput> input = batchInput.controlInput(state, observed);
        if (admission.controller() == ControllerKind.NO_CONTROL) {
            return new ControlTrace(
                    opening,
                    input,
                    Optional.empty(),
                    new ControlOutput<>(pid, 1, DecisionMode.ACTIVE, DecisionReason.NO_CONTROL));
        }
        if (batchInput.startsOverloaded(observed)) {
            return new ControlTrace(
                    opening,
                    input,
                    Optional.empty(),
                    new ControlOutput<>(
                            pid, fractions.safeOpening(), DecisionMode.ACTIVE, DecisionReason.START_OVERLOADED));
        }
        if (batchInput.isIdle()) {
            return new ControlTrace(
                    opening, input, Optional.empty(), ControlOutput.hold(pid, opening, DecisionReason.HELD_IDLE));
        }
        ControlLaw<PidState> law = AdmissionLaw.of(admission);
        ControlLaw<PidState> guarded = Guard.around(Guards.ofController(context.policy(), mayRise()), law);
        return new ControlTrace(
                opening,
                input,
                input.map(now -> law.decide(pid, now)),
                input.map(now -> guarded.decide(pid, now))
                        .orElseGet(() -> ControlOutput.hold(pid, opening, whyNoEstimate(batchInput.batch()))));
    }

    private static DecisionReason whyNoEstimate(QualityWindow batch) {
        return batch.measurableShare() < Unmeasurable.LEAST_MEASURABLE_SHARE
                ? DecisionReason.HELD_NOT_MEASURABLE
                : DecisionReason.HELD_NO_ESTIMATE;
    }

    /** Keeps the fraction of every class, and gives this reason. */
    Step<AdmissionState, Decision> hold(DecisionReason reason) {
        return publish(state.because(reason), ClassOutputs.held(state.pid(), fractions, reason));
    }

    /** Renews the fractions on a heartbeat, which has no window. */
    Step<AdmissionState, Decision> renew() {
        return publish(state, ClassOutputs.renewed(state, fractions));
    }

    private Step<AdmissionState, Decision> publish(AdmissionState next, List<ControlOutput<PidState>> outputs) {
        return new AdmissionPublisher(fractions, context.epoch()).publish(next, outputs);
    }
}
