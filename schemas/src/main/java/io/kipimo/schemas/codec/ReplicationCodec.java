package io.kipimo.schemas.codec;

import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.wire.ReplicationDecisionProto;
import java.util.List;

/** Decisions on replication factors on the wire. */
final class ReplicationCodec {
    static final RecordMapping<ReplicationDecision, ReplicationDecisionProto> DECISION = RecordMapping.of(
                    ReplicationDecision.class, ReplicationDecisionProto.getDefaultInstance())
            .check((path, decision, wire) -> check(decision));

    private ReplicationCodec() {}

    private static void check(ReplicationDecision decision) throws InvalidRecordException {
        if (decision.evidence().isPresent()) {
            int tiers = decision.tiers().size();
            checkFactors("evidence.from", decision.evidence().get().from(), tiers);
            checkFactors("evidence.to", decision.evidence().get().to(), tiers);
        }
    }

    private static void checkFactors(String field, List<Integer> factors, int tiers) throws InvalidRecordException {
        if (factors.size() != tiers) {
            throw Checks.inconsistent(field + " has " + factors.size() + " factors; allowed: one a tier, " + tiers);
        }
    }
}
