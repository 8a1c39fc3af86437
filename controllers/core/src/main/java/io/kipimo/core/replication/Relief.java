package io.kipimo.core.replication;

import io.kipimo.core.guard.Bounds;
import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.replication.ReplicatorState.Usual;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.policy.TrialPolicy;
import java.util.List;
import java.util.Optional;

/**
 * Adds copies at once when the target is suddenly missed, and removes them once this is over. The search of the
 * {@link Replicator} takes minutes, since it measures small differences. A server that turns slow makes a great
 * difference, which shows in one window: in the number of late requests, those above a bound.
 *
 * <ol>
 *   <li><b>Missed.</b> A cumulative sum (Page 1954) of the windows under the factors in force shows that the target is
 *       above its bound. Then a trial begins at once, with the newest window as its baseline.
 *   <li><b>Does it help?</b> The trial is kept once the share of late requests is significantly below half of what it
 *       was. It is taken back once that share is significantly above this half, or if the least time of a trial ends
 *       without either. When nothing is left to try, the reason of the decision says so.
 *   <li><b>Let go.</b> A request is at most as late as each of its copies. Once single copies meet the bound, the
 *       factors from before are in force again; if the bound is then missed, this is taken back.
 * </ol>
 */
final class Relief {
    /** The target is missed once the cumulative sum reaches this many standard deviations. */
    private static final double SHOWN = 5;

    /** Standard deviations that count as chance: they are subtracted from each window before it enters the sum. */
    private static final double CHANCE = 0.5;

    /**
     * A result is significant from this many standard deviations on: of a trial of further copies, or of a return to
     * the factors from before.
     */
    static final double CONFIDENT = 3;

    /** Share of the late requests that a trial must save. */
    private static final double ENOUGH_GAINED = 0.5;

    private Relief() {}

    /**
     * The bound that the target should keep, in microseconds. It is the objective, if the service reached it before. If
     * not, or without an objective, it is the target that was measured before, raised by the relative change of
     * variability that restarts a search. Infinite before enough was measured.
     */
    private static double boundMicros(ReplicatorState state, ReplicationSettings settings) {
        MeasuredFactors usual = state.usual().map(Usual::baseline).orElse(state.baseline());
        if (!usual.isEnough(settings.trials())) {
            return Double.POSITIVE_INFINITY;
        }
        double reached = usual.targetMicros(settings.target());
        return reached <= settings.objectiveMicros()
                ? settings.objectiveMicros()
                : reached * (1 + settings.variabilityChange());
    }

    /** Whether the windows so far show that the target is missed. */
    static boolean isMissed(ReplicatorState state) {
        return state.lateness() >= SHOWN;
    }

    /**
     * The state after a window. Once the target is kept again without further copies, this is the state from before it
     * was missed.
     */
    static ReplicatorState seen(ReplicatorState state, ReplicationReading reading, StepContext<Instructions> context) {
        ReplicationSettings settings = context.policy().settings();
        if (state.isMoving() || !state.isSettledIn(reading, settings.trials())) {
            return state;
        }
        double above = settings.target().deviationsAbove(latency(reading), boundMicros(state, settings));
        double lateness = Bounds.clamp(state.lateness() + above - CHANCE, 0, 2 * SHOWN);
        ReplicatorState next = state.withLateness(lateness);
        if (state.usual().isEmpty()) {
            return next;
        }
        Usual usual = state.usual().get();
        if (lateness == 0 && usual.factors().equals(state.inForce())) {
            return state.returned(usual, context.nowMillis());
        }
        return singleCopiesDo(state, reading, settings)
                ? next
                : next.withUsual(Optional.of(usual.waiting(usual.waitMillis(), context.nowMillis())));
    }

    /** The step to take because the target is missed, or because it is no longer missed; empty: the search goes on. */
    static Optional<FactorOutcome> step(
            ReplicatorState state, ReplicationReading reading, StepContext<Instructions> context) {
        ReplicationSettings settings = context.policy().settings();
        if (state.isMoving() || !state.isSettledIn(reading, settings.trials())) {
            return Optional.empty();
        }
        MeasuredFactors newest = MeasuredFactors.NOTHING.with(reading, settings.target(), settings.trials());
        Optional<Factors> before = state.usual()
                .filter(usual -> usual.factors().copies() < state.inForce().copies()
                        && usual.returnAtMillis() <= context.nowMillis()
                        && singleCopiesDo(state, reading, settings))
                .map(Usual::factors);
        if (before.isPresent()) {
            return Optional.of(TrialChoice.begin(state.withBaseline(newest), before.get(), Optional.empty(), context));
        }
        if (!isMissed(state)
                || settings.target().deviationsAbove(latency(reading), boundMicros(state, settings)) <= 0) {
            return Optional.empty();
        }
        ReplicatorState missed = state.usual().isPresent() ? state : state.missed();
        FactorOutcome outcome = TrialChoice.start(missed.withBaseline(newest).withToLower(List.of()), reading, context);
        return Optional.of(
                outcome.reason() == ReplicationReason.SEARCH_ENDED
                        ? outcome.withReason(ReplicationReason.COPIES_DO_NOT_HELP)
                        : outcome);
    }

    /** Whether the target would be kept if each request had the latency of one of its copies, in all tiers. */
    private static boolean singleCopiesDo(
            ReplicatorState state, ReplicationReading reading, ReplicationSettings settings) {
        TargetMetric target = settings.target();
        double micros = target.micros(reading.tiers().get(0).copyLatency());
        List<Double> visits = reading.fanOut(state.inForce());
        for (int i = 1; i < visits.size(); i++) {
            TierReading tier = reading.tiers().get(i);
            micros += visits.get(i)
                    * Math.max(0, target.micros(tier.copyLatency()) - target.micros(tier.requestLatency()));
        }
        return micros <= boundMicros(state, settings);
    }

    /** Whether the running trial is a return to the factors from before the target was missed. */
    static boolean isReturn(ReplicatorState state) {
        Optional<Factors> usual = state.usual().map(Usual::factors);
        return state.trial()
                .filter(trial -> !trial.raises() && usual.equals(Optional.of(trial.to())))
                .isPresent();
    }

    /** Evaluates a return ({@link #isReturn}) on one window. */
    static FactorOutcome evaluateReturn(
            ReplicatorState state, ReplicationReading reading, StepContext<Instructions> context) {
        ReplicationSettings settings = context.policy().settings();
        TrialPolicy rules = settings.trials();
        FactorTrial trial = state.trial().orElseThrow();
        Usual usual = state.usual().orElseThrow();
        double bound = boundMicros(state, settings);
        long nowMillis = context.nowMillis();
        boolean isWhole = reading.startMillis() >= state.changedAtMillis();
        if (isWhole && settings.target().deviationsAbove(latency(reading), bound) > CONFIDENT) {
            return takenBack(state, usual, rules, nowMillis);
        }
        if (!context.lock().isFreeFor(Mover.REPLICATION, nowMillis)
                || context.policy().shadow()) {
            return FactorOutcome.active(TrialEnd.aborted(state, nowMillis), ReplicationReason.ROLLED_BACK_TURN);
        }
        if (!state.isSettledIn(reading, rules)) {
            return FactorOutcome.hold(state, ReplicationReason.SETTLING);
        }
        FactorTrial measured = trial.with(trial.measured().with(reading, settings.target(), rules));
        if (measured.measured().requests() < rules.minimumRequests()
                && measured.measured().millis() < rules.minimumMillis()) {
            return FactorOutcome.hold(state.withTrial(measured), ReplicationReason.TRIAL_RUNNING);
        }
        return measured.measured().targetMicros(settings.target()) <= bound
                ? FactorOutcome.active(state.returned(usual, nowMillis), ReplicationReason.TRIAL_KEPT)
                : takenBack(state, usual, rules, nowMillis);
    }

    private static FactorOutcome takenBack(ReplicatorState state, Usual usual, TrialPolicy rules, long nowMillis) {
        long waitMillis = Math.min(rules.maximumMillis(), Math.max(rules.minimumMillis(), 2 * usual.waitMillis()));
        return FactorOutcome.active(
                TrialEnd.aborted(state.withUsual(Optional.of(usual.waiting(waitMillis, nowMillis))), nowMillis),
                ReplicationReason.ROLLED_BACK_SLA);
    }

    /** Whether the baseline of a trial is a single window, because the trial began when the target was missed. */
    static boolean isUrgent(ReplicatorState state, TrialPolicy rules) {
        return state.baseline().batches() < rules.minimumBatches();
    }

    /**
     * Standard deviations by which a trial's copies save more than half of the late requests; below 0 if they save
     * less.
     */
    static double gain(ReplicatorState state, FactorTrial trial, ReplicationSettings settings) {
        double bound = boundMicros(state, settings);
        LatencySketch before = state.baseline().requestLatency().get(0);
        LatencySketch now = trial.measured().requestLatency().get(0);
        double enough = ENOUGH_GAINED * (1 - before.shareAtMost(bound));
        double late = 1 - now.shareAtMost(bound);
        return (enough - late) / Math.hypot(ENOUGH_GAINED * deviation(before, bound), deviation(now, bound));
    }

    /** Standard deviation of the share of late requests. It counts one late request more than was seen. */
    private static double deviation(LatencySketch of, double bound) {
        double share = Math.min(1, ((1 - of.shareAtMost(bound)) * of.count() + 1) / (of.count() + 1));
        return Math.sqrt(share * (1 - share) / of.count());
    }

    private static LatencySketch latency(ReplicationReading reading) {
        return reading.tiers().get(0).requestLatency();
    }
}
