package io.kipimo.core.replication;

import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.util.List;
import java.util.Optional;

/**
 * One step of the {@link Replicator}. It first applies overrides, then lowers factors that are no longer feasible, and
 * then evaluates the running trial ({@link TrialEvaluator}) or chooses the next one ({@link TrialChoice}).
 */
final class ReplicationControlStep {
    private ReplicationControlStep() {}

    /** A step on a window that is new and fresh. */
    static Step<ReplicatorState, ReplicationDecision> onWindow(
            ReplicatorState state, ReplicationReading reading, StepContext<Instructions> context) {
        return FactorPublisher.publish(
                window(renewed(state, context), reading, context), state.inForce(), Optional.of(reading), context);
    }

    static Step<ReplicatorState, ReplicationDecision> onHeartbeat(
            ReplicatorState state, StepContext<Instructions> context) {
        return FactorPublisher.publish(
                heartbeat(renewed(state, context), context), state.inForce(), Optional.empty(), context);
    }

    /** The factors stay; the lease is renewed. */
    static Step<ReplicatorState, ReplicationDecision> hold(
            ReplicatorState state, ReplicationReason reason, StepContext<Instructions> context) {
        return FactorPublisher.publish(
                FactorOutcome.hold(renewed(state, context), reason), state.inForce(), Optional.empty(), context);
    }

    /** If the last lease ended, arbiters apply the factors in force again from this step on. */
    private static ReplicatorState renewed(ReplicatorState state, StepContext<Instructions> context) {
        boolean lapsed = state.decidedAtMillis() > 0
                && context.nowMillis() - state.decidedAtMillis()
                        > context.policy().settings().leaseMillis();
        return lapsed ? state.lapsed(context.nowMillis()) : state;
    }

    private static FactorOutcome heartbeat(ReplicatorState state, StepContext<Instructions> context) {
        Optional<FactorOutcome> overridden = overridden(state, context);
        if (overridden.isPresent()) {
            return overridden.get();
        }
        if (state.lastWindowMillis() == 0) {
            return FactorOutcome.hold(state, ReplicationReason.HELD_NO_INPUT);
        }
        long nowMillis = context.nowMillis();
        long staleAfter = context.policy().settings().staleAfterMillis();
        boolean stale = nowMillis - state.lastWindowMillis() > staleAfter;
        // Right after a start, the newest window may be old although no window is missing.
        boolean unwatched = nowMillis - state.changedAtMillis() > staleAfter;
        if (stale && state.isMoving() && unwatched) {
            return FactorOutcome.active(TrialEnd.aborted(state, nowMillis), ReplicationReason.ROLLED_BACK_STALE);
        }
        return FactorOutcome.hold(state, stale ? ReplicationReason.HELD_STALE : underWay(state, context));
    }

    /** The phase of the search between two windows. */
    private static ReplicationReason underWay(ReplicatorState state, StepContext<Instructions> context) {
        if (state.isMoving()) {
            return ReplicationReason.TRIAL_RUNNING;
        }
        if (state.ended()) {
            return Relief.isMissed(state) ? ReplicationReason.COPIES_DO_NOT_HELP : ReplicationReason.RESTING;
        }
        long settlingMillis = context.policy().settings().trials().settlingMillis();
        return context.nowMillis() < state.changedAtMillis() + settlingMillis
                ? ReplicationReason.SETTLING
                : ReplicationReason.MEASURING_BASELINE;
    }

    private static FactorOutcome window(
            ReplicatorState state, ReplicationReading reading, StepContext<Instructions> context) {
        Optional<FactorOutcome> overridden = overridden(state, context);
        if (overridden.isPresent()) {
            return overridden.get();
        }
        FeasibleSet holding = reading.feasible(
                state.inForce(),
                context.policy().settings().holding(),
                state.smoothed().orElseThrow(),
                false);
        if (!holding.contains(state.inForce())) {
            return lowered(state, holding, context).withViolations(holding.violations(state.inForce()));
        }
        ReplicatorState seen = Relief.seen(state, reading, context);
        return Relief.step(seen, reading, context)
                .orElseGet(() -> seen.isMoving()
                        ? TrialEvaluator.evaluate(seen, reading, context)
                        : TrialChoice.choose(seen, reading, context));
    }

    /** Applies the kill switch, or the factors that a person set, which may be infeasible; empty without either. */
    private static Optional<FactorOutcome> overridden(ReplicatorState state, StepContext<Instructions> context) {
        Instructions instructions = context.policy();
        Optional<Factors> wanted = instructions.killSwitch()
                ? Optional.of(Factors.ones(state.inForce().tiers()))
                : instructions.override();
        return wanted.filter(factors -> factors.tiers() == state.inForce().tiers())
                .map(factors -> FactorOutcome.manual(
                        factors.equals(state.inForce()) && !state.isMoving()
                                ? state
                                : state.restarted(factors, context.nowMillis()),
                        instructions.killSwitch() ? ReplicationReason.KILL_SWITCH : ReplicationReason.OVERRIDE));
    }

    private static FactorOutcome lowered(
            ReplicatorState state, FeasibleSet holding, StepContext<Instructions> context) {
        long nowMillis = context.nowMillis();
        Optional<FactorTrial> raising = state.trial().filter(FactorTrial::raises);
        // A trial of a copy less was proven with that copy, but the factors in force lack it.
        Factors from = raising.isPresent() ? state.search().current() : state.inForce();
        List<Double> variability = state.smoothed().orElseThrow().variability();
        Factors below = holding.nearestBelow(from, variability);
        if (context.policy().shadow()) {
            return FactorOutcome.shadow(state, below, ReplicationReason.LOWERED_INFEASIBLE);
        }
        // A trial that became infeasible has failed. The search goes on.
        return raising.filter(trial -> below.equals(state.search().current()))
                .map(trial -> FactorOutcome.active(
                        TrialEnd.rejected(state, trial, false, nowMillis), ReplicationReason.LOWERED_INFEASIBLE))
                .orElseGet(() ->
                        FactorOutcome.active(state.restarted(below, nowMillis), ReplicationReason.LOWERED_INFEASIBLE));
    }
}
