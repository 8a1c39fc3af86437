package io.kipimo.core.replication;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.replication.BrokenConstraint;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidence;
import io.kipimo.schemas.tails.TailWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The whole decision on one service's factors: the {@link Replicator} between a policy and windows
 * of tails on one side, and decisions for arbiters on the other.
 *
 * <p>{@link #step} runs on every window of a tier, {@link #heartbeat} every period of processing
 * time: it renews the lease and applies what persons say. Both are pure, and say nothing where the
 * policy has no replication section.
 *
 * <p>One mover at a time: a move of the admitted fractions takes the turn ({@link #hear}). No trial
 * begins in another's turn, and one that runs is taken back, since it would measure the other's
 * effect.
 */
public final class ReplicationLoop {
    /** The message refuses larger figures. */
    private static final double LARGEST_FIGURE = 1e12;

    private ReplicationLoop() {}

    /**
     * Takes note of a window; a control step once it completes those of its end.
     *
     * @param turn who may move the service
     * @param epoch of the job attempt
     * @param nowMillis processing time, epoch milliseconds
     */
    public static ReplicationStep step(
            ReplicationState state,
            Policy policy,
            TailWindow window,
            MoverTurn turn,
            long epoch,
            long nowMillis) {
        ReplicationState known = of(state, policy);
        ReplicationPolicy wanted = policy.replication().orElse(null);
        if (wanted == null
                || !window.service().equals(policy.service())
                || !TierWindows.isWanted(window, wanted.tiers())
                || window.endMillis() <= known.replicator().lastWindowMillis()) {
            return new ReplicationStep(known, Optional.empty());
        }
        List<TailWindow> pending = TierWindows.with(known.pending(), window);
        long end = window.endMillis();
        if (!TierWindows.isComplete(pending, wanted.tiers(), end)) {
            return new ReplicationStep(known.withPending(pending), Optional.empty());
        }
        ReplicationState seen = known.withPending(TierWindows.after(pending, end));
        return TierWindows.reading(pending, wanted.tiers(), end)
                .map(
                        reading ->
                                published(
                                        seen,
                                        wanted,
                                        Replicator.step(
                                                seen.replicator(),
                                                ReplicationSettings.of(wanted),
                                                instructions(policy, wanted, turn, nowMillis),
                                                reading,
                                                policy.service(),
                                                epoch,
                                                nowMillis)))
                .orElseGet(() -> new ReplicationStep(seen, Optional.empty()));
    }

    /** Renews what is in force, and applies what persons say. */
    public static ReplicationStep heartbeat(
            ReplicationState state, Policy policy, MoverTurn turn, long epoch, long nowMillis) {
        ReplicationState known = of(state, policy);
        return policy.replication()
                .map(
                        wanted ->
                                published(
                                        known,
                                        wanted,
                                        Replicator.heartbeat(
                                                known.replicator(),
                                                ReplicationSettings.of(wanted),
                                                instructions(policy, wanted, turn, nowMillis),
                                                policy.service(),
                                                epoch,
                                                nowMillis)))
                .orElseGet(() -> new ReplicationStep(known, Optional.empty()));
    }

    /**
     * Whose turn it is after a decision of admission: a fraction that moved takes effect for as
     * long as a trial would settle, and at least until the next move may come.
     */
    public static MoverTurn hear(MoverTurn turn, Decision admission, Policy policy) {
        boolean moves =
                admission.mode() == DecisionMode.ACTIVE
                        && admission.value() != admission.previous();
        if (!moves) {
            return turn;
        }
        long settlingMillis = policy.replication().map(r -> r.trials().settlingMillis()).orElse(0L);
        return turn.taken(
                Mover.ADMISSION,
                admission.issuedAtMillis(),
                Math.max(settlingMillis, 2 * policy.admission().periodMillis()));
    }

    /** Other tiers begin anew. */
    private static ReplicationState of(ReplicationState state, Policy policy) {
        List<String> tiers =
                policy.replication().map(ReplicationPolicy::tiers).orElse(List.of()).stream()
                        .map(ReplicatedTier::name)
                        .toList();
        return tiers.isEmpty() || tiers.equals(state.tiers())
                ? state
                : ReplicationState.initial(tiers);
    }

    private static Instructions instructions(
            Policy policy, ReplicationPolicy wanted, MoverTurn turn, long nowMillis) {
        return new Instructions(
                policy.killSwitch(),
                wanted.override()
                        .filter(o -> o.isInForce(nowMillis))
                        .map(FactorOverride::factors)
                        .map(Factors::new),
                wanted.shadow(),
                turn.isFreeFor(Mover.REPLICATION, nowMillis),
                policy.version());
    }

    private static ReplicationStep published(
            ReplicationState state, ReplicationPolicy policy, ReplicatorStep step) {
        List<String> tiers = policy.tiers().stream().map(ReplicatedTier::name).toList();
        return new ReplicationStep(
                state.with(step.next()),
                step.decision().map(d -> message(d, tiers, step.next().isMoving())));
    }

    private static ReplicationDecision message(
            FactorDecision d, List<String> tiers, boolean inTrial) {
        List<TierFactor> factors = new ArrayList<>();
        for (int i = 0; i < tiers.size(); i++) {
            factors.add(
                    new TierFactor(
                            tiers.get(i),
                            d.factors().at(i),
                            d.previous().at(i),
                            d.fallback().at(i),
                            d.refusedByModel().contains(i),
                            d.unevenCosts().contains(i)));
        }
        return new ReplicationDecision(
                d.scope(),
                d.epoch(),
                d.sequence(),
                d.issuedAtMillis(),
                d.asOfMillis(),
                d.validUntilMillis(),
                List.copyOf(factors),
                d.mode(),
                d.reason().name(),
                inTrial,
                d.requests(),
                d.measuredMicros(),
                d.objectiveMicros(),
                d.evidence().map(ReplicationLoop::evidence),
                IntStream.range(0, d.violations().size())
                        .mapToObj(i -> broken(d.violations().get(i), tiers))
                        .toList(),
                d.configVersion());
    }

    private static TrialEvidence evidence(Evidence e) {
        return new TrialEvidence(
                e.from().values(),
                e.to().values(),
                e.baselineRequests(),
                e.trialRequests(),
                e.baselineMicros(),
                e.trialMicros(),
                e.changeMicros(),
                e.lowMicros(),
                e.highMicros(),
                e.predictedMicros().isPresent()
                        ? Optional.of(e.predictedMicros().getAsDouble())
                        : Optional.empty());
    }

    private static BrokenConstraint broken(Violation violation, List<String> tiers) {
        return new BrokenConstraint(
                violation.constraint().name(),
                tiers.get(violation.tier()),
                Math.min(LARGEST_FIGURE, violation.value()),
                Math.min(LARGEST_FIGURE, violation.allowed()));
    }
}
