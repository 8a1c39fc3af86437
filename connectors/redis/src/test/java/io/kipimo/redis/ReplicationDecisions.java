package io.kipimo.redis;

import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import java.util.List;

/** Replication factors to store. */
final class ReplicationDecisions {
    static final String SERVICE = "pages";

    private ReplicationDecisions() {}

    static ReplicationDecision of(long epoch, long sequence, TierFactor... tiers) {
        return ReplicationDecisionBuilder.builder()
                .service(SERVICE)
                .epoch(epoch)
                .sequence(sequence)
                .issuedAtMillis(SampleDecisions.ISSUED_AT)
                .asOfMillis(SampleDecisions.ISSUED_AT - 2_000)
                .validUntilMillis(SampleDecisions.ISSUED_AT + SampleDecisions.LEASE_MILLIS)
                .tiers(List.of(tiers))
                .mode(DecisionMode.ACTIVE)
                .reason("TRIAL_STARTED")
                .inTrial(true)
                .requests(640)
                .measuredMicros(64_000.5)
                .objectiveMicros(80_000)
                .configVersion(7)
                .build();
    }

    /** A trial with one more copy in a tier. */
    static TierFactor tried(String tier, int factor) {
        return new TierFactor(tier, factor, factor - 1, factor - 1, false, false);
    }
}
