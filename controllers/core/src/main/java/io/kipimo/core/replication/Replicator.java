package io.kipimo.core.replication;

import io.kipimo.core.control.Controller;
import io.kipimo.core.control.Step;
import io.kipimo.core.control.StepContext;
import java.util.List;

/**
 * sPARE's replicator, run for ever (sPARE, sec. V; what it leaves open is ours). It goes the way of
 * algorithm 1 ({@link FactorSearch}), each step a live trial:
 *
 * <ol>
 *   <li>The target is measured under the proven factors, in batches, until there is enough.
 *   <li>The tier that varies most gets a copy more, if that is feasible, if the model does not rule
 *       it out, and if no other controller holds the actuation lock.
 *   <li>After settling, the target is measured until the difference is decided with confidence:
 *       kept if it surely is lower; taken back, and the direction with it, if it surely gains less
 *       than is worth a copy, or if time is up. A trial that violates the SLA is taken back at
 *       once.
 *   <li>When no direction is left, it rests until load or variability drift. Then copies are first
 *       tried to be taken away, one tier at a time, and what surely does not miss them stays
 *       without; then the search goes up again.
 * </ol>
 *
 * <p>Before all that, in every window: factors that are no longer feasible come down at once, with
 * the load of that window, however many steps it takes; until a change of factors has settled, the
 * load of the tiers after the first is told by the first one's and what it was before. Between the
 * utilisation up to which factors rise and the one from which they fall, they stay.
 *
 * <p>Batches and intervals: {@link MeasuredFactors}. The model: {@link StepModel}.
 */
public final class Replicator
        implements Controller<ReplicatorState, ReplicationReading, FactorDecision, Instructions> {
    /** A window may end this much later than now; later ones come of a wrong clock. */
    static final long FUTURE_TOLERANCE_MILLIS = 60_000;

    /**
     * A control step on a window. No decision on a window that ends no later than one seen before,
     * or that is so old that the job must be working off a backlog.
     */
    @Override
    public Step<ReplicatorState, FactorDecision> step(
            ReplicatorState state, ReplicationReading window, StepContext<Instructions> context) {
        ReplicationSettings settings = context.policy().settings();
        long nowMillis = context.nowMillis();
        if (window.tiers().size() != state.inForce().tiers()
                || window.endMillis() > nowMillis + FUTURE_TOLERANCE_MILLIS) {
            return ReplicationControlStep.hold(
                    state, ReplicationReason.HELD_IMPOSSIBLE_INPUT, context);
        }
        if (window.endMillis() <= state.lastWindowMillis()) {
            return Step.silent(state);
        }
        boolean settled = state.isSettledIn(window, settings.trials());
        ReplicationReading reading =
                settled || state.fanOut().isEmpty()
                        ? window
                        : window.under(state.inForce(), state.fanOut());
        Conditions newest = Conditions.of(reading, settings.target());
        Conditions smoothed =
                state.smoothed()
                        .map(old -> old.towards(newest, settings.smoothingMillis(), settled))
                        .orElse(settled ? newest : newest.withoutVariability());
        List<Double> fanOut = settled ? window.fanOut(state.inForce()) : List.of();
        ReplicatorState seen =
                state.seen(
                        window.endMillis(), smoothed, fanOut.isEmpty() ? state.fanOut() : fanOut);
        if (nowMillis - window.endMillis() > settings.staleAfterMillis()) {
            return Step.silent(seen);
        }
        return ReplicationControlStep.onWindow(seen, reading, context);
    }

    /**
     * Renews what is in force, applies overrides and the kill switch, and ends a trial whose
     * windows have stopped.
     */
    @Override
    public Step<ReplicatorState, FactorDecision> heartbeat(
            ReplicatorState state, StepContext<Instructions> context) {
        return ReplicationControlStep.onHeartbeat(state, context);
    }
}
