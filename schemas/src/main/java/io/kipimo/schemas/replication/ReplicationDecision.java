package io.kipimo.schemas.replication;

import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.field.Distinct;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;
import java.util.Optional;

/**
 * Replication factors of one service; topic {@code replication}, compacted by service. The newest decision wins: the
 * one with the higher epoch, then with the higher sequence.
 *
 * @param epoch epoch of the job attempt, assigned by the log; below 2^53
 * @param sequence sequence number within the epoch, from 1
 * @param issuedAtMillis epoch milliseconds
 * @param asOfMillis event time of the newest inputs, epoch milliseconds; 0: no inputs
 * @param validUntilMillis end of the lease, epoch milliseconds; afterwards arbiters apply the fallback factors
 * @param tiers tiers in the order of a request, names unique
 * @param reason name of a constant of the controller's vocabulary of reasons
 * @param inTrial whether a trial runs, during which other controllers hold
 * @param requests first-tier requests in the newest window
 * @param measuredMicros target latency in the newest window, microseconds; 0 without requests
 * @param objectiveMicros the SLA's bound on the target; 0: none
 * @param evidence figures of the trial that runs, or that was judged
 * @param broken constraints that the factors in force violate; after the end of a search, those that one more copy
 *     would violate
 * @param configVersion version of the policy that the controller followed
 */
@WithBuilder
public record ReplicationDecision(
        @Name String service,
        long epoch,
        long sequence,
        @Range(least = 1, most = Range.LATEST_MILLIS) long issuedAtMillis,
        long asOfMillis,

        @Range(leastOf = "issuedAtMillis", most = Long.MAX_VALUE)
        long validUntilMillis,

        @Distinct @Size(least = 1) List<TierFactor> tiers,
        DecisionMode mode,
        @Text String reason,
        boolean inTrial,
        long requests,
        @Range(most = 10 * Range.LONGEST_MICROS) double measuredMicros,
        @Range(most = Range.LONGEST_MICROS) long objectiveMicros,
        Optional<TrialEvidence> evidence,
        @Initializer(source = List.class, value = "of") List<BrokenConstraint> broken,
        long configVersion) {

    /** Name of the controller in claims. */
    public static final String CONTROLLER = "replication";

    /** Whether this decision replaces a decision with the given epoch and sequence. */
    public boolean isNewerThan(long otherEpoch, long otherSequence) {
        return epoch > otherEpoch || (epoch == otherEpoch && sequence > otherSequence);
    }

    /** The factor of a tier; empty if the tier is not listed. */
    public Optional<TierFactor> tier(String name) {
        return tiers.stream().filter(t -> t.tier().equals(name)).findFirst();
    }
}
