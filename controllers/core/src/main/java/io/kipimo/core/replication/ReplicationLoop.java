package io.kipimo.core.replication;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.core.guard.ServiceController;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.TailWindow;
import java.util.List;

/**
 * Decides on the factors of one service, from its messages to its decisions. It feeds the {@link Replicator} with the
 * policy and the tail windows.
 *
 * <p>{@link #step} runs on every window of a tier, {@link #heartbeat} every period of processing time. Neither decides
 * anything if the policy has no replication section.
 *
 * <p>A move of the admitted fractions takes the actuation lock ({@link #lockAfter}). While another controller holds the
 * lock, no trial begins and a running trial is taken back, since the trial would measure the other controller's effect.
 */
public final class ReplicationLoop
        implements ServiceController<ReplicationState, TailWindow, Decision, ReplicationDecision> {
    private static final Replicator REPLICATOR = new Replicator();

    @Override
    public ReplicationState initial() {
        return ReplicationState.initial();
    }

    @Override
    public long periodMillis(Policy policy) {
        return policy.replication().map(ReplicationPolicy::periodMillis).orElse(0L);
    }

    /** Stores a window. A control step follows once all windows with the same end have arrived. */
    @Override
    public Step<ReplicationState, ReplicationDecision> step(
            ReplicationState state, TailWindow window, StepContext<Policy> context) {
        Policy policy = context.policy();
        ReplicationState known = of(state, policy);
        ReplicationPolicy wanted = policy.replication().orElse(null);
        if (wanted == null
                || !window.service().equals(policy.service())
                || !TierWindows.isWanted(window, wanted.tiers())
                || window.endMillis() <= known.replicator().lastWindowMillis()) {
            return Step.silent(known);
        }
        List<TailWindow> pending = TierWindows.with(known.pending(), window);
        long end = window.endMillis();
        if (!TierWindows.isComplete(pending, wanted.tiers(), end)) {
            return Step.silent(known.withPending(pending));
        }
        ReplicationState seen = known.withPending(TierWindows.after(pending, end));
        return TierWindows.reading(pending, wanted.tiers(), end)
                .map(reading ->
                        published(seen, REPLICATOR.step(seen.replicator(), reading, instructions(wanted, context))))
                .orElseGet(() -> Step.silent(seen));
    }

    /** Renews the factors in force, and applies overrides and the kill switch. */
    @Override
    public Step<ReplicationState, ReplicationDecision> heartbeat(ReplicationState state, StepContext<Policy> context) {
        ReplicationState known = of(state, context.policy());
        return context.policy()
                .replication()
                .map(wanted ->
                        published(known, REPLICATOR.heartbeat(known.replicator(), instructions(wanted, context))))
                .orElseGet(() -> Step.silent(known));
    }

    /**
     * The actuation lock after a decision of the admission controller. If the decision moved a fraction, admission
     * holds the lock for as long as a trial takes to settle, and at least for two periods of admission.
     */
    @Override
    public MoverTurn lockAfter(MoverTurn lock, Decision admission, Policy policy) {
        boolean moves = admission.mode() == DecisionMode.ACTIVE && admission.value() != admission.previous();
        if (!moves) {
            return lock;
        }
        long settlingMillis =
                policy.replication().map(r -> r.trials().settlingMillis()).orElse(0L);
        return lock.taken(
                Mover.ADMISSION,
                admission.issuedAtMillis(),
                Math.max(settlingMillis, 2 * policy.admission().periodMillis()));
    }

    /** If the policy names other tiers, the state starts again. */
    private static ReplicationState of(ReplicationState state, Policy policy) {
        List<String> tiers = policy.replication().map(ReplicationLoop::tiers).orElse(List.of());
        return tiers.isEmpty() || tiers.equals(state.tiers()) ? state : ReplicationState.initial(tiers);
    }

    private static List<String> tiers(ReplicationPolicy policy) {
        return policy.tiers().stream().map(ReplicatedTier::name).toList();
    }

    private static StepContext<Instructions> instructions(ReplicationPolicy wanted, StepContext<Policy> context) {
        Policy policy = context.policy();
        return new StepContext<>(
                new Instructions(
                        policy.service(),
                        tiers(wanted),
                        ReplicationSettings.of(wanted),
                        policy.killSwitch(),
                        wanted.override()
                                .filter(o -> o.isInForce(context.nowMillis()))
                                .map(FactorOverride::factors)
                                .map(Factors::new),
                        wanted.shadow(),
                        policy.version()),
                context.lock(),
                context.epoch(),
                context.nowMillis());
    }

    private static Step<ReplicationState, ReplicationDecision> published(
            ReplicationState state, Step<ReplicatorState, ReplicationDecision> step) {
        return new Step<>(state.withReplicator(step.next()), step.decisions());
    }
}
