package io.kipimo.redis;

import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import java.util.List;
import java.util.Optional;

/** Replication factors to store. */
final class ReplicationDecisions {
    static final String SERVICE = "pages";

    private ReplicationDecisions() {}

    static ReplicationDecision of(long epoch, long sequence, TierFactor... tiers) {
        return new ReplicationDecision(
                SERVICE,
                epoch,
                sequence,
                SampleDecisions.ISSUED_AT,
                SampleDecisions.ISSUED_AT - 2_000,
                SampleDecisions.ISSUED_AT + SampleDecisions.LEASE_MILLIS,
                List.of(tiers),
                DecisionMode.ACTIVE,
                "TRIAL_STARTED",
                true,
                640,
                64_000.5,
                80_000,
                Optional.empty(),
                List.of(),
                7);
    }

    /** A trial with one more copy in a tier. */
    static TierFactor tried(String tier, int factor) {
        return new TierFactor(tier, factor, factor - 1, factor - 1, false, false);
    }
}
