package io.kipimo.core.replication;

import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.core.guard.StepContext;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Acts between trials: measures the baseline, then chooses the next trial or ends the search. */
final class TrialChoice {
    private TrialChoice() {}

    static FactorOutcome choose(ReplicatorState state, ReplicationReading reading, StepContext<Instructions> context) {
        ReplicationSettings settings = context.policy().settings();
        Optional<ReplicationReason> drift = ConditionDrift.of(state, settings);
        if (drift.isPresent()) {
            return FactorOutcome.hold(state.restarted(state.inForce(), context.nowMillis()), drift.get());
        }
        if (state.ended()) {
            return FactorOutcome.hold(ConditionDrift.withMatureReference(state, settings), ReplicationReason.RESTING)
                    .withViolations(inTheWay(state, feasible(state, reading, settings)));
        }
        if (!state.isSettledIn(reading, settings.trials())) {
            return FactorOutcome.hold(state, ReplicationReason.SETTLING);
        }
        ReplicatorState measured =
                state.withBaseline(state.baseline().with(reading, settings.target(), settings.trials()));
        return measured.baseline().isBaseline(settings.target(), settings.trials())
                ? start(measured, reading, context)
                : FactorOutcome.hold(measured, ReplicationReason.MEASURING_BASELINE);
    }

    static FactorOutcome start(ReplicatorState state, ReplicationReading reading, StepContext<Instructions> context) {
        ReplicationSettings settings = context.policy().settings();
        FeasibleSet feasible = feasible(state, reading, settings);
        Optional<FactorModel> model =
                FactorModel.of(state.baseline(), feasible, state.inForce(), settings.target(), state.trust());
        NextTrial candidate =
                candidate(state, feasible, model.filter(m -> settings.modelFirst() && !state.modelRefuted()), settings);
        ReplicatorState next = state.withToLower(candidate.toLower());
        return candidate
                .factors()
                .map(factors -> begin(next, factors, model, context))
                .orElseGet(() -> FactorOutcome.hold(next.withReference(true), ReplicationReason.SEARCH_ENDED)
                        .withViolations(inTheWay(state, feasible)))
                .withRefusedByModel(candidate.refusedByModel());
    }

    private static FeasibleSet feasible(
            ReplicatorState state, ReplicationReading reading, ReplicationSettings settings) {
        return reading.feasible(
                state.inForce(), settings.trying(), state.smoothed().orElseThrow(), true);
    }

    /** The constraints that one copy more in some tier would break. */
    private static List<ConstraintViolation> inTheWay(ReplicatorState state, FeasibleSet feasible) {
        return IntStream.range(0, state.inForce().tiers())
                .mapToObj(tier -> feasible.violations(state.inForce().moved(tier, 1)))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    static FactorOutcome begin(
            ReplicatorState state, Factors factors, Optional<FactorModel> model, StepContext<Instructions> context) {
        long nowMillis = context.nowMillis();
        if (context.policy().shadow()) {
            return FactorOutcome.shadow(state, factors, ReplicationReason.TRIAL_STARTED);
        }
        if (!context.lock().isFreeFor(Mover.REPLICATION, nowMillis)) {
            return FactorOutcome.hold(state, ReplicationReason.HELD_AWAITING_TURN);
        }
        FactorTrial trial = new FactorTrial(
                state.inForce(),
                factors,
                nowMillis,
                MeasuredFactors.NOTHING,
                model.map(m -> m.prediction(factors)).orElse(OptionalDouble.empty()));
        return FactorOutcome.active(
                state.withReference(false).trying(trial, nowMillis), ReplicationReason.TRIAL_STARTED);
    }

    /**
     * Factors to try next.
     *
     * @param factors factors to try; empty: the search is over
     * @param toLower tiers for which one copy less is still to be tried
     * @param refusedByModel tiers whose step the model ruled out
     */
    private record NextTrial(Optional<Factors> factors, List<Integer> toLower, List<Integer> refusedByModel) {}

    /**
     * Chooses the next trial: one copy less in a tier for which this is still to be tried, otherwise more copies.
     *
     * @param model empty: the search goes on without one
     */
    private static NextTrial candidate(
            ReplicatorState state, FeasibleSet feasible, Optional<FactorModel> model, ReplicationSettings settings) {
        List<Double> variability = state.baseline().variability(settings.target());
        List<Integer> needed = state.toLower().stream()
                .filter(tier -> model.isPresent() && model.get().surelyLoses(tier))
                .toList();
        List<Integer> toLower =
                state.toLower().stream().filter(tier -> !needed.contains(tier)).toList();
        // The tier that varies least comes first, since it probably does not miss a copy.
        Optional<Integer> lowered = toLower.stream().min(Comparator.comparing(variability::get));
        if (lowered.isPresent()) {
            return new NextTrial(lowered.map(tier -> state.inForce().moved(tier, -1)), toLower, needed);
        }
        if (model.isEmpty()) {
            return new NextTrial(raised(state, feasible, variability), toLower, needed);
        }
        // All steps at once, so that those on the way need no trials of their own; an urgent one shows soon what it
        // does.
        int mostCopies = Relief.isUrgent(state, settings.trials()) ? 1 : Integer.MAX_VALUE;
        Factors best = model.get().best(state.search(), settings.worthMicros(state.baseline()), mostCopies);
        Stream<Integer> unraised = state.search().directions(feasible).stream()
                .filter(tier -> best.at(tier) == state.inForce().at(tier));
        return new NextTrial(
                Optional.of(best).filter(factors -> !factors.equals(state.inForce())),
                toLower,
                Stream.concat(needed.stream(), unraised).toList());
    }

    /** The factors in force with one copy more in the tier that varies most (algorithm 1, line 6). */
    private static Optional<Factors> raised(ReplicatorState state, FeasibleSet feasible, List<Double> variability) {
        return state.search().next(feasible, variability).stream()
                .mapToObj(tier -> state.inForce().moved(tier, 1))
                .findFirst();
    }
}
