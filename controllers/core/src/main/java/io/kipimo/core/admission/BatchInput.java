package io.kipimo.core.admission;

import io.kipimo.core.guard.ControlInput;
import io.kipimo.core.guard.ControlInputBuilder;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Guards;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;
import java.util.Optional;

/** Adds a batch window to the state, and computes the control input from it. */
record BatchInput(QualityWindow batch, ClassFractions fractions) {
    /**
     * A component counts as dead if it was asked at least this often and gave no result in time. Fewer requests may
     * fail by chance.
     */
    private static final int LEAST_ASKED = 10;

    /**
     * Returns the state with the window added. After a gap of one averaging window, the control law and the
     * uninterrupted input begin anew.
     *
     * @param catchingUp whether the window is too old to act on
     */
    AdmissionState observedBy(AdmissionState state, boolean catchingUp) {
        Policy policy = fractions.policy();
        boolean broken = state.lastWindowMillis() == 0
                || batch.startMillis() - state.lastWindowMillis() >= policy.windowMillis();
        double loss = state.signals().lossPerTimeOut();
        SettingEvidence evidence = (broken ? SettingEvidence.NONE : state.evidence())
                .with(batch, state.lastMove(), policy.highestClass().objective(), policy.windowMillis(), loss);
        SignalState signals =
                Signals.learn(state.signals(), policy, batch, fractions.opening(), evidence.sinceMillis());
        Figures figures = Signals.read(signals, policy, evidence.average(batch, policy.windowMillis(), loss))
                .map(signal -> signal.figures(batch.endMillis()))
                .orElse(state.figures().upTo(batch.endMillis()));
        return AdmissionStateBuilder.builder(state)
                .pid(broken ? PidState.UNSTARTED : state.pid())
                .signals(signals)
                .evidence(evidence)
                .figures(figures)
                .inputSinceMillis(broken ? batch.startMillis() : state.inputSinceMillis())
                .lastWindowMillis(batch.endMillis())
                .catchingUp(catchingUp)
                .reason(catchingUp ? DecisionReason.HELD_CATCHING_UP : state.reason())
                .build();
    }

    /**
     * Whether the service starts overloaded: too many answers lack a component, and nothing has shown yet what that
     * costs. It applies only before one full averaging window, or right after idleness.
     */
    boolean startsOverloaded(AdmissionState observed) {
        Policy policy = fractions.policy();
        boolean isStart = batch.endMillis() - observed.inputSinceMillis() < policy.windowMillis()
                || observed.reason() == DecisionReason.HELD_IDLE;
        return isStart
                && Signals.exceedTimeOuts(policy, batch)
                && batch.estimate()
                        .filter(e -> e.low() >= policy.highestClass().objective())
                        .isEmpty()
                && ofAnsweringComponents()
                        .filter(s -> s.measured() >= s.setPoint())
                        .isEmpty()
                && fractions.opening() > fractions.safeOpening() + ShedOrder.ROUNDING;
    }

    /**
     * Whether fewer queries arrive than the controller needs. So few queries cannot cause overload, and tell nothing
     * about quality. A service that gets many queries and answers few of them is not idle.
     */
    boolean isIdle() {
        long queries = Math.max(batch.offered(), batch.answered());
        return queries == 0
                || ratePerSecond(queries) < fractions.policy().admission().minimumRatePerSecond();
    }

    private double ratePerSecond(long queries) {
        return queries * 1000.0 / (batch.endMillis() - batch.startMillis());
    }

    /**
     * Returns the input of the control law; empty if the window has no estimate.
     *
     * @param before state without the window
     * @param observed state with the window
     */
    Optional<ControlInput> controlInput(AdmissionState before, AdmissionState observed) {
        QualityWindow averaged = observed.evidence()
                .average(
                        batch,
                        fractions.policy().windowMillis(),
                        before.signals().lossPerTimeOut());
        Optional<ControlSignal> ofOthers = ofAnsweringComponents();
        return ofOthers.or(() -> Signals.read(observed.signals(), fractions.policy(), averaged))
                .map(signal -> controlInput(before, observed, signal, ofOthers.isPresent()));
    }

    /**
     * Returns a signal that leaves out dead components, which gave no result in time. Shedding cannot bring their
     * results, so the signal is the counted share of results that the other components gave in time. Empty if no
     * component is dead, or if all are.
     */
    Optional<ControlSignal> ofAnsweringComponents() {
        List<ComponentAttribution> answering = batch.components().stream()
                .filter(c -> c.timedOut() < c.invoked())
                .toList();
        long asked = batch.components().stream()
                .mapToLong(ComponentAttribution::invoked)
                .sum();
        boolean isDead =
                batch.components().stream().anyMatch(c -> c.invoked() >= LEAST_ASKED && c.timedOut() == c.invoked());
        if (!isDead || answering.isEmpty()) {
            return Optional.empty();
        }
        double reachable =
                answering.stream().mapToLong(ComponentAttribution::invoked).sum() / (double) asked;
        double inTime = reachable
                - answering.stream().mapToLong(ComponentAttribution::timedOut).sum() / (double) asked;
        return Optional.of(new ControlSignal(
                inTime,
                inTime * batch.measurableShare(),
                inTime,
                inTime,
                inTime * batch.measurableShare(),
                Signals.setPoint(fractions.policy()) * reachable,
                reachable,
                inTime,
                (int) Math.min(Integer.MAX_VALUE, batch.answered())));
    }

    /**
     * Returns the upper end of quality. While few samples tell the cost of a late result, each late result is taken to
     * cost its share of the answer, unless the measured quality is higher than that allows.
     */
    private double high(AdmissionState before, AdmissionState observed, ControlSignal signal) {
        boolean isCounted = !batch.components().isEmpty()
                && signal.samples() < fractions.policy().admission().minimumSamples();
        double counted =
                isCounted ? observed.evidence().inTimeHigh(before.signals().lossPerTimeOut()) : 1;
        return Math.min(signal.high(), Math.max(signal.measured(), counted));
    }

    private ControlInput controlInput(
            AdmissionState before, AdmissionState observed, ControlSignal signal, boolean isCounted) {
        long lengthMillis = batch.endMillis() - batch.startMillis();
        long sinceLast = before.lastWindowMillis() == 0 ? lengthMillis : batch.endMillis() - before.lastWindowMillis();
        return ControlInputBuilder.builder()
                .inForce(fractions.opening())
                .measured(signal.measured())
                .low(signal.low())
                .lowOfMeasurable(signal.lowOfMeasurable())
                .high(high(before, observed, signal))
                .counted(signal.counted())
                .bestByTimeOuts(
                        isCounted
                                ? signal.measured()
                                : Signals.bestByTimeOuts(observed.signals(), fractions.policy(), batch))
                .admitted(fractions.ofRoom(fractions.admitted()))
                .carried(fractions.ofRoom(observed.load().carriedPerSecond()))
                .missed(fractions.ofRoom(observed.load().missedPerSecond()))
                .chance(observed.evidence().chance(before.signals().lossPerTimeOut()))
                .stepsDown(observed.effect().steps())
                .objective(observed.effect().objective(signal.setPoint(), fractions.nowMillis()))
                .reachable(Math.min(signal.reachable(), observed.effect().best(fractions.nowMillis())))
                .newest(signal.newest())
                .measurableShare(batch.measurableShare())
                .samples(signal.samples())
                .ratePerSecond(ratePerSecond(batch.answered()))
                .expired(isCounted ? 0 : Signals.inexact(batch))
                .stepSamples(Signals.sampled(batch))
                .usualExpiredShare(before.signals().expiredShare())
                .inputSinceMillis(observed.inputSinceMillis())
                .asOfMillis(batch.endMillis())
                .stepStartMillis(batch.startMillis())
                .stepMillis(Math.min(
                        sinceLast, Guards.staleAfterMillis(fractions.policy().admission())))
                .lastMove(observed.lastMove())
                .nowMillis(fractions.nowMillis())
                .build();
    }
}
