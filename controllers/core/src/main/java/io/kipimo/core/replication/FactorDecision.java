package io.kipimo.core.replication;

import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.replication.TrialEvidence;
import java.util.List;
import java.util.Optional;

/**
 * The replicator's decision, with tiers by number; {@link ReplicationLoop} turns it into the
 * message for arbiters. Newest wins: higher epoch, then higher sequence.
 *
 * @param scope service
 * @param epoch of the job attempt
 * @param sequence within the epoch, from 1
 * @param issuedAtMillis epoch milliseconds
 * @param asOfMillis end of the newest input, event time
 * @param validUntilMillis end of the lease; after it an arbiter applies {@code fallback}
 * @param factors factors to apply, if the mode is effective
 * @param previous factors in force before
 * @param fallback proven factors, which apply after the lease; they differ from {@code factors}
 *     only in a trial
 * @param reason a constant name of {@link ReplicationReason}
 * @param requests requests of tier 1 in the newest window
 * @param measuredMicros target in the newest window; 0 without requests
 * @param objectiveMicros the SLA's bound on it; 0: none
 * @param evidence of the trial that was evaluated in this step
 * @param violations constraints that the factors in force broke
 * @param refusedByModel tiers whose step the model ruled out, counted from 0
 * @param unevenCosts tiers whose requests differ so widely in cost that copies mostly repeat the
 *     dearest, counted from 0
 * @param configVersion version of the policy that was followed
 */
@WithBuilder
public record FactorDecision(
        String scope,
        long epoch,
        long sequence,
        long issuedAtMillis,
        long asOfMillis,
        long validUntilMillis,
        Factors factors,
        Factors previous,
        Factors fallback,
        DecisionMode mode,
        ReplicationReason reason,
        long requests,
        double measuredMicros,
        long objectiveMicros,
        Optional<TrialEvidence> evidence,
        List<ConstraintViolation> violations,
        List<Integer> refusedByModel,
        List<Integer> unevenCosts,
        long configVersion) {}
