package io.kipimo.core.admission;

import io.kipimo.core.control.Step;
import io.kipimo.core.control.StepContext;
import io.kipimo.core.guard.ControlInput;
import io.kipimo.core.guard.ControlLaw;
import io.kipimo.core.guard.ControlOutput;
import io.kipimo.core.guard.Guard;
import io.kipimo.core.guard.Guards;
import io.kipimo.core.guard.LastMove;
import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.core.guard.Reason;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One step of the loop: what is in force now, and what is decided for every class. */
final class AdmissionControlStep {
    /** Time constant of the derivative's filter: steps of one period count half. */
    private static final double FILTER_PERIODS = 1;

    /** Reasons that rest on no measurement; such decisions are as of now. */
    private static final Set<Reason> WITHOUT_INPUT =
            EnumSet.of(
                    Reason.PROTECTED,
                    Reason.OVERRIDE,
                    Reason.KILL_SWITCH,
                    Reason.NO_CONTROL,
                    Reason.SAFE_FALLBACK);

    /** Reasons of a step that are no reason for the heartbeats after it. */
    private static final Set<Reason> PASSING =
            EnumSet.of(
                    Reason.OPENED,
                    Reason.SHUT,
                    Reason.UNCHANGED,
                    Reason.FIRST_WINDOW,
                    Reason.HELD_IMPOSSIBLE_POLICY,
                    Reason.HELD_CATCHING_UP);

    private final Policy policy;
    private final AdmissionPolicy admission;
    private final AdmissionState state;
    private final long epoch;
    private final long nowMillis;
    private final boolean mayRise;
    private final int protectedPriority;
    private final Map<String, Double> inForce = new HashMap<>();

    AdmissionControlStep(AdmissionState state, StepContext<Policy> context) {
        this.policy = context.policy();
        this.admission = policy.admission();
        this.state = state;
        this.epoch = context.epoch();
        this.nowMillis = context.nowMillis();
        this.mayRise = context.lock().isFreeFor(Mover.ADMISSION, nowMillis);
        this.protectedPriority = policy.highestClass().priority();
        for (ClassPolicy c : policy.classes()) {
            InForce known = state.inForce().get(c.name());
            double fraction =
                    known == null
                            ? InForce.unknown(c)
                            : known.at(nowMillis, c, admission.decayMillis());
            inForce.put(c.name(), isProtected(c) ? 1 : fraction);
        }
    }

    /** The state with a window taken note of. */
    AdmissionState seen(QualityWindow batch, boolean catchingUp) {
        boolean broken =
                state.lastWindowMillis() == 0
                        || batch.startMillis() - state.lastWindowMillis() >= policy.windowMillis();
        SignalState signals = Signals.learn(state.signals(), policy, batch, opening());
        Figures figures =
                Signals.read(signals, policy, batch)
                        .map(r -> r.figures(batch.endMillis()))
                        .orElse(state.figures().upTo(batch.endMillis()));
        return new AdmissionState(
                state.epoch(),
                state.sequence(),
                state.inForce(),
                broken ? PidState.UNSTARTED : state.pid(),
                signals,
                figures,
                state.lastMove(),
                broken ? batch.startMillis() : state.inputSinceMillis(),
                batch.endMillis(),
                state.usableMillis(),
                catchingUp,
                catchingUp ? Reason.HELD_CATCHING_UP : state.reason());
    }

    /** A control step on a window that is new and fresh. */
    Step<AdmissionState, Decision> move(QualityWindow batch) {
        AdmissionState seen = seen(batch, false);
        ControlTrace trace = trace(seen, batch);
        ControlOutput<PidState> u = trace.decided();
        double amount = (u.value() - trace.opening()) * room();
        Map<String, Double> allotted =
                ShedOrder.allot(
                        steered(), inForce, amount, admission.slewUp(), admission.slewDown());
        List<ControlOutput<PidState>> outcomes = new ArrayList<>();
        for (ClassPolicy c : policy.classes()) {
            double was = inForce.get(c.name());
            double fraction = allotted.get(c.name());
            Reason still = amount == 0 ? u.reason() : Reason.NOT_ITS_TURN;
            outcomes.add(
                    fraction == was
                            ? ControlOutput.hold(u.state(), was, still)
                            : new ControlOutput<>(
                                    u.state(), fraction, DecisionMode.ACTIVE, u.reason()));
        }
        // What is decided in shadow has no effect to wait for.
        boolean moved = amount != 0 && !admission.shadow();
        return publish(
                seen.after(
                        u.state(),
                        moved
                                ? new LastMove(
                                        nowMillis,
                                        trace.input().map(ControlInput::newest).orElse(1.0))
                                : seen.lastMove(),
                        u.reason().isBlind() ? seen.usableMillis() : batch.endMillis(),
                        u.reason()),
                outcomes);
    }

    /** What {@link #move} decides before it is allotted to the classes. */
    ControlTrace trace(QualityWindow batch) {
        return trace(seen(batch, false), batch);
    }

    private ControlTrace trace(AdmissionState seen, QualityWindow batch) {
        double opening = opening();
        PidState pid = seen.pid();
        Optional<ControlInput> input =
                Signals.read(seen.signals(), policy, batch).map(r -> input(seen, batch, r));
        if (admission.controller() == ControllerKind.NO_CONTROL) {
            return new ControlTrace(
                    opening,
                    input,
                    Optional.empty(),
                    new ControlOutput<>(pid, 1, DecisionMode.ACTIVE, Reason.NO_CONTROL));
        }
        ControlLaw<PidState> law =
                admission.controller() == ControllerKind.PID ? pid() : AdmissionControlStep::aimd;
        ControlLaw<PidState> guarded = Guard.around(Guards.ofController(policy, mayRise), law);
        return new ControlTrace(
                opening,
                input,
                input.map(now -> law.decide(pid, now)),
                input.map(now -> guarded.decide(pid, now))
                        .orElseGet(() -> ControlOutput.hold(pid, opening, whyNoEstimate(batch))));
    }

    private static Reason whyNoEstimate(QualityWindow batch) {
        return batch.measurableShare() < Unmeasurable.LEAST_MEASURABLE_SHARE
                ? Reason.HELD_NOT_MEASURABLE
                : Reason.HELD_NO_ESTIMATE;
    }

    /** Every class keeps what it has, for a reason. */
    Step<AdmissionState, Decision> hold(Reason reason) {
        return publish(state.because(reason), held(reason));
    }

    /** Between steps. */
    Step<AdmissionState, Decision> renew() {
        return publish(state, renewed());
    }

    private List<ControlOutput<PidState>> renewed() {
        if (admission.controller() == ControllerKind.NO_CONTROL) {
            return policy.classes().stream()
                    .map(c -> towards(c, c.ceiling(), Reason.NO_CONTROL))
                    .toList();
        }
        long staleAfter = Guards.staleAfterMillis(admission);
        long fallbackAfter = staleAfter + admission.leaseMillis() + admission.decayMillis();
        if (state.usableMillis() != 0
                && Guards.isStale(state.usableMillis(), fallbackAfter, nowMillis)) {
            return policy.classes().stream()
                    .map(c -> towards(c, c.safeFraction(), Reason.SAFE_FALLBACK))
                    .toList();
        }
        if (state.lastWindowMillis() == 0) {
            return held(Reason.HELD_NO_INPUT);
        }
        if (Guards.isStale(state.lastWindowMillis(), staleAfter, nowMillis)) {
            return held(Reason.HELD_STALE);
        }
        return held(PASSING.contains(state.reason()) ? Reason.RENEWED : state.reason());
    }

    private List<ControlOutput<PidState>> held(Reason reason) {
        return policy.classes().stream()
                .map(c -> ControlOutput.hold(state.pid(), inForce.get(c.name()), reason))
                .toList();
    }

    private ControlOutput<PidState> towards(ClassPolicy c, double goal, Reason reason) {
        return goal == inForce.get(c.name())
                ? ControlOutput.hold(state.pid(), goal, reason)
                : new ControlOutput<>(state.pid(), goal, DecisionMode.ACTIVE, reason);
    }

    private ControlLaw<PidState> pid() {
        double filterSeconds = FILTER_PERIODS * admission.periodMillis() / 1000.0;
        PidConfig config =
                new PidConfig(admission.kp(), admission.ki(), admission.kd(), filterSeconds, 0, 1);
        return (pid, now) -> {
            PidStep step =
                    PidController.step(
                            config,
                            pid,
                            now.inForce(),
                            now.error(),
                            now.measured(),
                            now.stepMillis(),
                            now.asOfMillis());
            Reason reason = pid.isStarted() ? moved(now, step.output()) : Reason.FIRST_WINDOW;
            return new ControlOutput<>(step.next(), step.output(), DecisionMode.ACTIVE, reason);
        };
    }

    private static ControlOutput<PidState> aimd(PidState pid, ControlInput now) {
        double output = AimdController.step(AimdConfig.DEFAULT, now.inForce(), now.error());
        return new ControlOutput<>(pid, output, DecisionMode.ACTIVE, moved(now, output));
    }

    private static Reason moved(ControlInput now, double output) {
        if (output > now.inForce()) {
            return Reason.OPENED;
        }
        if (output < now.inForce()) {
            return Reason.SHUT;
        }
        if (now.error() == 0) {
            return now.whyLowEndFalls() == Reason.HELD_PARTLY_MEASURABLE
                    ? Reason.HELD_PARTLY_MEASURABLE
                    : Reason.UNCHANGED;
        }
        return now.error() > 0 ? Reason.AT_CEILING : Reason.AT_FLOOR;
    }

    private ControlInput input(AdmissionState seen, QualityWindow batch, ControlSignal reading) {
        long sinceLast =
                state.lastWindowMillis() == 0
                        ? batch.endMillis() - batch.startMillis()
                        : batch.endMillis() - state.lastWindowMillis();
        return new ControlInput(
                opening(),
                reading.measured(),
                reading.low(),
                reading.lowOfMeasurable(),
                reading.high(),
                reading.setPoint(),
                reading.newest(),
                batch.measurableShare(),
                reading.samples(),
                batch.answered() * 1000.0 / (batch.endMillis() - batch.startMillis()),
                Signals.inexact(batch),
                Signals.sampled(batch),
                state.signals().expiredShare(),
                seen.inputSinceMillis(),
                batch.endMillis(),
                batch.startMillis(),
                Math.min(sinceLast, Guards.staleAfterMillis(admission)),
                seen.lastMove(),
                nowMillis);
    }

    /** The opened part of the room, 0..1. */
    private double opening() {
        double opened = 0;
        for (ClassPolicy c : steered()) {
            opened += Math.max(0, Math.min(c.ceiling(), inForce.get(c.name())) - c.floor());
        }
        double room = room();
        if (room - opened <= ShedOrder.ROUNDING) {
            return 1;
        }
        return opened <= ShedOrder.ROUNDING ? 0 : opened / room;
    }

    private double room() {
        return steered().stream().mapToDouble(c -> c.ceiling() - c.floor()).sum();
    }

    /** The classes that the controller moves: not protected, and no person's word on them. */
    private List<ClassPolicy> steered() {
        return policy.classes().stream()
                .filter(c -> !isProtected(c))
                .filter(c -> c.override().filter(o -> o.isInForce(nowMillis)).isEmpty())
                .toList();
    }

    private boolean isProtected(ClassPolicy c) {
        return c.priority() == protectedPriority;
    }

    private Step<AdmissionState, Decision> publish(
            AdmissionState seen, List<ControlOutput<PidState>> outcomes) {
        Map<String, InForce> published = new HashMap<>();
        List<Decision> decisions = new ArrayList<>();
        long sequence = seen.epoch() == epoch ? seen.sequence() : 0;
        for (int i = 0; i < outcomes.size(); i++) {
            ClassPolicy c = policy.classes().get(i);
            ControlOutput<PidState> guarded = guarded(c, outcomes.get(i));
            InForce known = seen.inForce().get(c.name());
            if (seen.catchingUp() && guarded.mode() != DecisionMode.MANUAL) {
                keep(published, c, known);
                continue;
            }
            Decision decision = decision(c, guarded, ++sequence, seen.figures());
            decisions.add(decision);
            if (decision.mode().isEffective()) {
                published.put(c.name(), new InForce(decision.value(), decision.validUntilMillis()));
            } else {
                keep(published, c, known);
            }
        }
        return new Step<>(seen.published(epoch, sequence, published, nowMillis), decisions);
    }

    private static void keep(Map<String, InForce> published, ClassPolicy c, InForce known) {
        if (known != null) {
            published.put(c.name(), known);
        }
    }

    private ControlOutput<PidState> guarded(ClassPolicy c, ControlOutput<PidState> outcome) {
        if (isProtected(c)) {
            return new ControlOutput<>(
                    outcome.state(),
                    1,
                    admission.shadow() ? DecisionMode.SHADOW : DecisionMode.HOLD,
                    Reason.PROTECTED);
        }
        List<Guard<PidState>> guards = Guards.ofClass(policy, c);
        return Guard.around(guards, (pid, input) -> outcome)
                .decide(outcome.state(), ControlInput.of(inForce.get(c.name()), nowMillis));
    }

    private Decision decision(
            ClassPolicy c, ControlOutput<PidState> outcome, long sequence, Figures figures) {
        return new Decision(
                Decision.ADMISSION,
                policy.service() + '/' + c.name(),
                epoch,
                sequence,
                nowMillis,
                WITHOUT_INPUT.contains(outcome.reason()) ? nowMillis : figures.asOfMillis(),
                nowMillis + admission.leaseMillis(),
                unsigned(outcome.value()),
                unsigned(inForce.get(c.name())),
                figures.samples(),
                outcome.mode(),
                outcome.reason().name(),
                policy.version(),
                figures.measured(),
                figures.low(),
                figures.high(),
                unsigned(figures.objective()));
    }

    /** A policy may say -0, which is a fraction; a reader of decisions should not see it. */
    private static double unsigned(double fraction) {
        return fraction + 0.0;
    }
}
