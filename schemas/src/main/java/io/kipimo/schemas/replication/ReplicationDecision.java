package io.kipimo.schemas.replication;

import io.kipimo.schemas.decision.DecisionMode;
import java.util.List;
import java.util.Optional;

/**
 * Replication factors of one service; topic {@code replication}, compacted by service. Newest wins:
 * higher epoch, then higher sequence.
 *
 * @param epoch of the job attempt, from the log; below 2^53
 * @param sequence within the epoch, from 1
 * @param issuedAtMillis epoch milliseconds
 * @param asOfMillis event time up to which the inputs were seen, epoch milliseconds; 0: nothing was
 * @param validUntilMillis after this an arbiter goes to the fallback factors, epoch milliseconds
 * @param tiers first to last, names unique
 * @param reason a constant name of the controller's vocabulary of reasons
 * @param inTrial whether a trial runs: other controllers hold still
 * @param requests of the first tier in the newest window
 * @param measuredMicros target in the newest window; 0 without requests
 * @param objectiveMicros the SLA's bound on the target; 0: none
 * @param evidence of the trial that was judged, or is running
 * @param broken constraints that the factors in force broke
 * @param configVersion version of the policy that was followed
 */
public record ReplicationDecision(
        String service,
        long epoch,
        long sequence,
        long issuedAtMillis,
        long asOfMillis,
        long validUntilMillis,
        List<TierFactor> tiers,
        DecisionMode mode,
        String reason,
        boolean inTrial,
        long requests,
        double measuredMicros,
        long objectiveMicros,
        Optional<TrialEvidence> evidence,
        List<BrokenConstraint> broken,
        long configVersion) {

    /** Of the controller, in claims. */
    public static final String CONTROLLER = "replication";

    /** Whether this decision replaces one of ({@code epoch}, {@code sequence}). */
    public boolean isNewerThan(long otherEpoch, long otherSequence) {
        return epoch > otherEpoch || (epoch == otherEpoch && sequence > otherSequence);
    }

    /** Of a tier; empty if it is not named. */
    public Optional<TierFactor> tier(String name) {
        return tiers.stream().filter(t -> t.tier().equals(name)).findFirst();
    }
}
