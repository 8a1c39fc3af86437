package io.kipimo.core.replication;

import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.replication.TrialEvidence;
import java.util.List;
import java.util.Optional;

/**
 * Result of one step of the {@link Replicator}, before it is published.
 *
 * @param state state of the replicator after the step
 * @param factors factors to publish: those in force after the step, except in shadow mode
 * @param evidence measurements of the trial that was evaluated; empty without one
 * @param violations constraints that the factors in force broke; after the end of a search, those that one more copy
 *     would break
 * @param refusedByModel tiers whose step the model ruled out, counted from 0
 */
@WithBuilder
record FactorOutcome(
        ReplicatorState state,
        Factors factors,
        DecisionMode mode,
        ReplicationReason reason,
        Optional<TrialEvidence> evidence,
        List<ConstraintViolation> violations,
        List<Integer> refusedByModel)
        implements FactorOutcomeBuilder.With {

    private static FactorOutcome of(
            ReplicatorState state, Factors factors, DecisionMode mode, ReplicationReason reason) {
        return new FactorOutcome(state, factors, mode, reason, Optional.empty(), List.of(), List.of());
    }

    /** The factors stay; the lease is renewed. */
    static FactorOutcome hold(ReplicatorState state, ReplicationReason reason) {
        return of(state, state.inForce(), DecisionMode.HOLD, reason);
    }

    /** The factors in force after the step apply. */
    static FactorOutcome active(ReplicatorState state, ReplicationReason reason) {
        return of(state, state.inForce(), DecisionMode.ACTIVE, reason);
    }

    /** A person set the factors in force. */
    static FactorOutcome manual(ReplicatorState state, ReplicationReason reason) {
        return of(state, state.inForce(), DecisionMode.MANUAL, reason);
    }

    /** These factors would apply outside shadow mode. */
    static FactorOutcome shadow(ReplicatorState state, Factors factors, ReplicationReason reason) {
        return of(state, factors, DecisionMode.SHADOW, reason);
    }

    FactorOutcome withEvidence(TrialEvidence newEvidence) {
        return withEvidence(Optional.of(newEvidence));
    }
}
