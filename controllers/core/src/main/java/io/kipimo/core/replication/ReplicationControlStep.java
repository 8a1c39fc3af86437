package io.kipimo.core.replication;

import io.kipimo.core.control.Step;
import io.kipimo.core.control.StepContext;
import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.decision.DecisionMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;

/** One turn of the {@link Replicator}: the state goes in, changes step by step, and comes out. */
final class ReplicationControlStep {
    /**
     * Above this coefficient of variation of demands, copies mostly repeat the dearest requests.
     */
    private static final double UNEVEN_COSTS = 3;

    /** A window of fewer requests than this share of a trial's least number tells no violation. */
    private static final int VIOLATION_PART = 10;

    /** Of the gain that the model predicted: with less, it is wrong. */
    private static final double LEAST_OF_PREDICTED = 0.5;

    private final ReplicationSettings settings;
    private final Instructions instructions;
    private final boolean mayMove;
    private final long epoch;
    private final long nowMillis;
    private final Factors previous;

    private ReplicatorState state;
    private Optional<ReplicationReading> window = Optional.empty();
    private Optional<FactorEvidence> evidence = Optional.empty();
    private List<ConstraintViolation> violations = List.of();
    private boolean taught;
    private final List<Integer> refusedByModel = new ArrayList<>();

    ReplicationControlStep(ReplicatorState state, StepContext<Instructions> context) {
        this.instructions = context.policy();
        this.settings = instructions.settings();
        this.epoch = context.epoch();
        this.nowMillis = context.nowMillis();
        this.mayMove = context.lock().isFreeFor(Mover.REPLICATION, nowMillis);
        boolean lapsed =
                state.decidedAtMillis() > 0
                        && nowMillis - state.decidedAtMillis() > settings.leaseMillis();
        this.state = lapsed ? state.lapsed(nowMillis) : state;
        this.previous = state.inForce();
    }

    Step<ReplicatorState, FactorDecision> onHeartbeat() {
        Optional<Step<ReplicatorState, FactorDecision>> ordered = applyOverrides();
        if (ordered.isPresent()) {
            return ordered.get();
        }
        if (state.lastWindowMillis() == 0) {
            return hold(ReplicationReason.HELD_NO_INPUT);
        }
        boolean stale = nowMillis - state.lastWindowMillis() > settings.staleAfterMillis();
        // Right after a start, the newest window may be old without anybody having missed one.
        boolean unwatched = nowMillis - state.changedAtMillis() > settings.staleAfterMillis();
        if (stale && state.isMoving() && unwatched) {
            return takeBack(ReplicationReason.ROLLED_BACK_STALE);
        }
        return hold(stale ? ReplicationReason.HELD_STALE : underWay());
    }

    /** What goes on between two windows; who asks whether a search has ended must not be misled. */
    private ReplicationReason underWay() {
        if (state.isMoving()) {
            return ReplicationReason.TRIAL_RUNNING;
        }
        if (state.ended()) {
            return ReplicationReason.RESTING;
        }
        return nowMillis < state.changedAtMillis() + settings.trials().settlingMillis()
                ? ReplicationReason.SETTLING
                : ReplicationReason.MEASURING_BASELINE;
    }

    Step<ReplicatorState, FactorDecision> onWindow(ReplicationReading reading) {
        window = Optional.of(reading);
        Optional<Step<ReplicatorState, FactorDecision>> ordered = applyOverrides();
        if (ordered.isPresent()) {
            return ordered.get();
        }
        FeasibleSet holding = reading.feasible(state.inForce(), settings.holding());
        if (!holding.contains(state.inForce())) {
            return comeDown(holding);
        }
        boolean settledInWindow = state.isSettledIn(reading, settings.trials());
        return state.isMoving()
                ? onTrial(reading, settledInWindow)
                : between(reading, settledInWindow);
    }

    /** What persons say goes before all else; they may also ask for what is not feasible. */
    private Optional<Step<ReplicatorState, FactorDecision>> applyOverrides() {
        Factors wanted =
                instructions.killSwitch()
                        ? Factors.ones(state.inForce().tiers())
                        : instructions.override().orElse(null);
        if (wanted == null || wanted.tiers() != state.inForce().tiers()) {
            return Optional.empty();
        }
        if (!wanted.equals(state.inForce()) || state.isMoving()) {
            state = state.restarted(wanted, nowMillis);
        }
        return Optional.of(
                decide(
                        DecisionMode.MANUAL,
                        instructions.killSwitch()
                                ? ReplicationReason.KILL_SWITCH
                                : ReplicationReason.OVERRIDE));
    }

    private Step<ReplicatorState, FactorDecision> comeDown(FeasibleSet holding) {
        violations = holding.violations(state.inForce());
        // A trial of a copy less was proven with it, but what is in force has fewer.
        Factors from =
                state.trial().map(FactorTrial::raises).orElse(false)
                        ? state.search().current()
                        : state.inForce();
        Factors below = holding.nearestBelow(from, variability());
        if (instructions.shadow()) {
            return decide(below, DecisionMode.SHADOW, ReplicationReason.LOWERED_INFEASIBLE);
        }
        // A trial that turned out to be too much is a trial that failed: the search goes on.
        Optional<FactorTrial> failed =
                state.trial()
                        .filter(FactorTrial::raises)
                        .filter(t -> below.equals(state.search().current()));
        if (failed.isPresent()) {
            return reject(failed.get(), ReplicationReason.LOWERED_INFEASIBLE);
        }
        state = state.restarted(below, nowMillis);
        return act(ReplicationReason.LOWERED_INFEASIBLE);
    }

    private List<Double> variability() {
        return state.smoothed().orElseThrow().variability();
    }

    private Step<ReplicatorState, FactorDecision> between(
            ReplicationReading reading, boolean settledInWindow) {
        Optional<ReplicationReason> drift = drift();
        if (drift.isPresent()) {
            state = state.restarted(state.inForce(), nowMillis);
            return hold(drift.get());
        }
        if (state.ended()) {
            if (!isMature(state.reference()) && isMature(state.smoothed())) {
                state = state.withReferenceVariability();
            }
            return hold(ReplicationReason.RESTING);
        }
        if (!settledInWindow) {
            return hold(ReplicationReason.SETTLING);
        }
        state =
                state.withBaseline(
                        state.baseline().with(reading, settings.target(), settings.trials()));
        if (!state.baseline().isBaseline(settings.target(), settings.trials())) {
            return hold(ReplicationReason.MEASURING_BASELINE);
        }
        return nextTrial(reading);
    }

    private Optional<ReplicationReason> drift() {
        if (state.reference().isEmpty()) {
            return Optional.empty();
        }
        Conditions then = state.reference().orElseThrow();
        Conditions now = state.smoothed().orElseThrow();
        if (now.loadDiffers(then, settings.loadChange())) {
            return Optional.of(ReplicationReason.RESTARTED_LOAD);
        }
        return state.ended()
                        && isMature(state.reference())
                        && now.variabilityDiffers(then, settings.variabilityChange())
                ? Optional.of(ReplicationReason.RESTARTED_VARIABILITY)
                : Optional.empty();
    }

    /** Whether the variability was averaged for so long that a difference is none of chance. */
    private boolean isMature(Optional<Conditions> conditions) {
        return conditions
                .filter(c -> 2 * c.settledMillis() >= settings.smoothingMillis())
                .isPresent();
    }

    private Step<ReplicatorState, FactorDecision> nextTrial(ReplicationReading reading) {
        FeasibleSet feasible = reading.feasible(state.inForce(), settings.limits());
        Optional<FactorModel> model = model(feasible, state.inForce());
        boolean asked = settings.modelFirst() && model.isPresent() && !state.modelRefuted();
        List<Double> variability = state.baseline().variability(settings.target());
        Optional<Factors> next = lowering(asked ? model : Optional.empty(), variability);
        if (next.isEmpty()) {
            next = asked ? best(model.orElseThrow(), feasible) : raising(feasible, variability);
        }
        if (next.isEmpty()) {
            state = state.withReference(true);
            return hold(ReplicationReason.SEARCH_ENDED);
        }
        Factors factors = next.get();
        if (instructions.shadow()) {
            return decide(factors, DecisionMode.SHADOW, ReplicationReason.TRIAL_STARTED);
        }
        if (!mayMove) {
            return hold(ReplicationReason.HELD_AWAITING_TURN);
        }
        FactorTrial trial =
                new FactorTrial(
                        state.inForce(),
                        factors,
                        nowMillis,
                        MeasuredFactors.NOTHING,
                        model.map(m -> m.prediction(factors)).orElse(OptionalDouble.empty()));
        state = state.withReference(false).trying(trial, nowMillis);
        return act(ReplicationReason.TRIAL_STARTED);
    }

    private Optional<FactorModel> model(FeasibleSet load, Factors from) {
        return FactorModel.of(state.baseline(), load, from, settings.target(), state.trust());
    }

    /**
     * The tier that varies least is asked first: it is likeliest not to miss a copy. Not what the
     * model knows to be missed.
     */
    private Optional<Factors> lowering(Optional<FactorModel> model, List<Double> variability) {
        for (int tier : state.toLower()) {
            if (model.isPresent() && model.get().surelyLoses(tier)) {
                refusedByModel.add(tier);
                state = state.withSearch(state.search(), without(state.toLower(), tier));
            }
        }
        return state.toLower().stream()
                .min(Comparator.comparing(variability::get))
                .map(tier -> state.inForce().moved(tier, -1));
    }

    /** The tier that varies most (algorithm 1, line 6). */
    private Optional<Factors> raising(FeasibleSet feasible, List<Double> variability) {
        return state.search().next(feasible, variability).stream()
                .mapToObj(tier -> state.inForce().moved(tier, 1))
                .findFirst();
    }

    /**
     * The factors that the model holds for the best, at once, so that steps on the way there need
     * no trials of their own; none if it sees no gain that is worth the copies. A tier that gets
     * none more, the model ruled out.
     */
    private Optional<Factors> best(FactorModel model, FeasibleSet feasible) {
        Factors best = model.best(state.search(), worthMicros());
        state.search().directions(feasible).stream()
                .filter(tier -> best.at(tier) == state.inForce().at(tier))
                .forEach(refusedByModel::add);
        return best.equals(state.inForce()) ? Optional.empty() : Optional.of(best);
    }

    /** What a copy must gain. */
    private double worthMicros() {
        return settings.trials().minimumGain() * baselineMicros();
    }

    private Step<ReplicatorState, FactorDecision> onTrial(
            ReplicationReading reading, boolean settledInWindow) {
        FactorTrial trial = state.trial().orElseThrow();
        // The latencies of a window that began before the trial are not the trial's.
        if (reading.startMillis() >= state.changedAtMillis() && violates(reading)) {
            return reject(trial, ReplicationReason.ROLLED_BACK_SLA);
        }
        if (!mayMove || instructions.shadow()) {
            return takeBack(ReplicationReason.ROLLED_BACK_TURN);
        }
        if (drift().isPresent()) {
            state = state.restarted(state.search().current(), nowMillis);
            return act(ReplicationReason.ROLLED_BACK_LOAD);
        }
        if (!settledInWindow) {
            return hold(ReplicationReason.SETTLING);
        }
        FactorTrial measured =
                trial.with(trial.measured().with(reading, settings.target(), settings.trials()));
        state = state.withTrial(measured);
        boolean over = measured.measured().millis() >= settings.trials().maximumMillis();
        if (!measured.measured().isEnough(settings.trials())) {
            return over
                    ? reject(measured, ReplicationReason.TRIAL_UNDECIDED)
                    : hold(ReplicationReason.TRIAL_RUNNING);
        }
        return judge(measured, reading, over);
    }

    private Step<ReplicatorState, FactorDecision> judge(
            FactorTrial trial, ReplicationReading reading, boolean over) {
        TrialRules rules = settings.trials();
        double confidence = over ? rules.lastConfidence() : rules.confidence();
        MeasuredFactors.Difference change =
                trial.measured().over(state.baseline(), settings.target(), confidence);
        evidence = Optional.of(evidence(trial, change));
        FeasibleSet load = reading.feasible(state.inForce(), settings.limits());
        double worth = worthMicros() * Math.abs(trial.to().copies() - trial.from().copies());
        boolean raises = trial.raises();
        // A copy more must gain, a copy less must not lose what is worth a copy.
        if (change.highMicros() < (raises ? 0 : worth) && (!raises || change.micros() < -worth)) {
            learn(trial, load);
            return keep(trial, change.micros());
        }
        boolean noBetter = change.lowMicros() > (raises ? -worth : 0);
        if (noBetter || over) {
            learn(trial, load);
            return reject(
                    trial,
                    noBetter
                            ? ReplicationReason.TRIAL_NO_BETTER
                            : ReplicationReason.TRIAL_UNDECIDED);
        }
        return hold(ReplicationReason.TRIAL_RUNNING);
    }

    /** The model may go on if what it was taught explains why the trial was no better. */
    private void learn(FactorTrial trial, FeasibleSet load) {
        state =
                state.withTrust(
                        FactorModel.taughtBy(
                                trial, state.baseline(), load, settings.target(), state.trust()));
        double worth = worthMicros() * (trial.to().copies() - trial.from().copies());
        taught =
                model(load, trial.from())
                        .filter(m -> m.changeMicros(trial.to()) + worth >= 0)
                        .isPresent();
    }

    private Step<ReplicatorState, FactorDecision> keep(FactorTrial trial, double changeMicros) {
        FactorSearch search = state.search();
        if (trial.raises()) {
            List<Integer> toLower = List.of();
            double predicted = trial.predictedMicros().orElse(0);
            if (trial.step().isEmpty() && changeMicros > predicted * LEAST_OF_PREDICTED) {
                // Of copies that came together, some may be good for nothing.
                toLower = ReplicatorState.lowerable(trial.to());
            }
            state = state.settled(search.movedTo(trial.to()), toLower, trial.measured(), nowMillis);
        } else {
            // What was just found not to be missed need not be tried again.
            int tier = trial.step().orElseThrow();
            FactorSearch lower = FactorSearch.from(trial.to()).notImproved(tier);
            List<Integer> toLower =
                    trial.to().at(tier) > 1 ? state.toLower() : without(state.toLower(), tier);
            state = state.settled(lower, toLower, trial.measured(), nowMillis);
        }
        return act(ReplicationReason.TRIAL_KEPT);
    }

    /**
     * Back to the proven factors, and not this way again. Where several copies at once did not what
     * the model said, and it cannot be taught why, the search goes on without it, step by step.
     */
    private Step<ReplicatorState, FactorDecision> reject(
            FactorTrial trial, ReplicationReason reason) {
        FactorSearch search = state.search();
        List<Integer> toLower = state.toLower();
        if (trial.step().isEmpty()) {
            state = taught ? state : state.withoutModel();
            search = search.without(trial.to());
        } else if (trial.raises()) {
            search = search.notImproved(trial.step().getAsInt());
        } else {
            toLower = without(toLower, trial.step().getAsInt());
        }
        state = state.settled(search, toLower, state.baseline(), nowMillis);
        return act(reason);
    }

    /** Back to the proven factors; nothing is known of the direction. */
    private Step<ReplicatorState, FactorDecision> takeBack(ReplicationReason reason) {
        state = state.settled(state.search(), state.toLower(), state.baseline(), nowMillis);
        return act(reason);
    }

    /** With what certainty one window allows; a baseline that is no better is no violation. */
    private boolean violates(ReplicationReading reading) {
        TrialRules rules = settings.trials();
        LatencySketch latency = reading.tiers().get(0).requestLatency();
        if (settings.objectiveMicros() == 0
                || latency.count() * VIOLATION_PART < rules.minimumRequests()) {
            return false;
        }
        double deviations =
                new NormalDistribution(null, 0, 1).inverseCumulativeProbability(rules.confidence());
        double bound = Math.max((double) settings.objectiveMicros(), baselineMicros());
        return settings.target().atLeastMicros(latency, deviations) > bound;
    }

    private double baselineMicros() {
        return state.baseline().targetMicros(settings.target());
    }

    private FactorEvidence evidence(FactorTrial trial, MeasuredFactors.Difference change) {
        return new FactorEvidence(
                trial.from(),
                trial.to(),
                state.baseline().requests(),
                trial.measured().requests(),
                baselineMicros(),
                trial.measured().targetMicros(settings.target()),
                change.micros(),
                change.lowMicros(),
                change.highMicros(),
                trial.predictedMicros());
    }

    private static List<Integer> without(List<Integer> tiers, int tier) {
        return tiers.stream().filter(other -> other != tier).toList();
    }

    /** Nothing changes; the lease is renewed. */
    Step<ReplicatorState, FactorDecision> hold(ReplicationReason reason) {
        return decide(DecisionMode.HOLD, reason);
    }

    private Step<ReplicatorState, FactorDecision> act(ReplicationReason reason) {
        return decide(DecisionMode.ACTIVE, reason);
    }

    private Step<ReplicatorState, FactorDecision> decide(
            DecisionMode mode, ReplicationReason reason) {
        return decide(state.inForce(), mode, reason);
    }

    private Step<ReplicatorState, FactorDecision> decide(
            Factors factors, DecisionMode mode, ReplicationReason reason) {
        long sequence = state.epoch() == epoch ? state.sequence() + 1 : 1;
        state = state.published(epoch, sequence, nowMillis);
        Optional<LatencySketch> newest = window.map(w -> w.tiers().get(0).requestLatency());
        return Step.of(
                state,
                new FactorDecision(
                        instructions.service(),
                        epoch,
                        sequence,
                        nowMillis,
                        state.lastWindowMillis(),
                        nowMillis + settings.leaseMillis(),
                        factors,
                        previous,
                        mode == DecisionMode.SHADOW ? state.inForce() : state.search().current(),
                        mode,
                        reason,
                        newest.map(LatencySketch::count).orElse(0L),
                        newest.map(settings.target()::micros).orElse(0.0),
                        settings.objectiveMicros(),
                        evidence,
                        violations,
                        List.copyOf(refusedByModel),
                        unevenCosts(),
                        instructions.configVersion()));
    }

    private List<Integer> unevenCosts() {
        return window.map(
                        w ->
                                IntStream.range(0, w.tiers().size())
                                        .filter(
                                                i ->
                                                        w.tiers().get(i).demandVariation()
                                                                > UNEVEN_COSTS)
                                        .boxed()
                                        .toList())
                .orElse(List.of());
    }
}
