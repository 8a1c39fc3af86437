package io.kipimo.core.replication;

import io.kipimo.core.guard.Controller;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.util.List;

/**
 * sPARE's replicator in continuous operation (sPARE, sec. V; the paper leaves trials and restarts open). It follows
 * algorithm 1 ({@link FactorSearch}) with one live trial a step:
 *
 * <ol>
 *   <li>It measures the target under the proven factors, in batches, until the baseline is exact enough.
 *   <li>The tier that varies most gets one more copy, if that is feasible, if the model does not rule it out, and if no
 *       other controller holds the actuation lock.
 *   <li>After settling, it measures the target until the difference is decided with confidence. It keeps the trial if
 *       the target is lower. It takes the trial back and removes the direction if the gain is less than a copy is
 *       worth, or if time is up. A trial that violates the SLA is taken back at once.
 *   <li>When no direction is left, it rests until load or variability drift. Then it first tries to remove copies, one
 *       tier at a time, and keeps the removals that do no harm. After that the search goes up again.
 * </ol>
 *
 * <p>In every window, it first lowers factors that are infeasible under the load of that window, at once and by as many
 * steps as needed. Until a change of factors has settled, the load of the later tiers is computed from the first tier's
 * load and the earlier fan-out. The utilisation from which factors are lowered is higher than the one up to which they
 * rise.
 *
 * <p>See {@link MeasuredFactors} for batches and intervals, {@link FactorModel} for the model.
 */
public final class Replicator
        implements Controller<ReplicatorState, ReplicationReading, ReplicationDecision, Instructions> {
    /** Windows that end further in the future come from a wrong clock and are rejected. */
    static final long FUTURE_TOLERANCE_MILLIS = 60_000;

    /**
     * A control step on a window. It decides nothing on a window that ends no later than an earlier one, or that is so
     * old that the job must be working off a backlog.
     */
    @Override
    public Step<ReplicatorState, ReplicationDecision> step(
            ReplicatorState state, ReplicationReading window, StepContext<Instructions> context) {
        ReplicationSettings settings = context.policy().settings();
        long nowMillis = context.nowMillis();
        if (window.tiers().size() != state.inForce().tiers()
                || window.endMillis() > nowMillis + FUTURE_TOLERANCE_MILLIS) {
            return ReplicationControlStep.hold(state, ReplicationReason.HELD_IMPOSSIBLE_INPUT, context);
        }
        if (window.endMillis() <= state.lastWindowMillis()) {
            return Step.silent(state);
        }
        boolean settled = state.isSettledIn(window, settings.trials());
        ReplicationReading reading =
                settled || state.fanOut().isEmpty() ? window : window.under(state.inForce(), state.fanOut());
        Conditions newest = Conditions.of(reading, settings.target());
        Conditions smoothed = state.smoothed()
                .map(old -> old.towards(newest, settings.smoothingMillis(), settled))
                .orElse(settled ? newest : newest.withoutVariability());
        List<Double> fanOut = settled ? window.fanOut(state.inForce()) : List.of();
        ReplicatorState seen = state.seen(window.endMillis(), smoothed, fanOut.isEmpty() ? state.fanOut() : fanOut);
        if (nowMillis - window.endMillis() > settings.staleAfterMillis()) {
            return Step.silent(seen);
        }
        return ReplicationControlStep.onWindow(seen, reading, context);
    }

    /** Renews the factors in force, applies overrides and the kill switch, and ends a trial when windows stop. */
    @Override
    public Step<ReplicatorState, ReplicationDecision> heartbeat(
            ReplicatorState state, StepContext<Instructions> context) {
        return ReplicationControlStep.onHeartbeat(state, context);
    }
}
