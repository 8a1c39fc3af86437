package io.kipimo.schemas.codec;

import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.wire.FactorOverrideProto;
import io.kipimo.schemas.wire.PolicyProto;
import io.kipimo.schemas.wire.ReplicationPolicyProto;
import java.util.Optional;

/** Converts policies to Protobuf messages and back. */
final class PolicyCodec {
    private static final RecordMapping<FactorOverride, FactorOverrideProto> FACTORS =
            RecordMapping.of(FactorOverride.class, FactorOverrideProto.getDefaultInstance());

    private static final RecordMapping<ReplicationPolicy, ReplicationPolicyProto> REPLICATION = RecordMapping.partly(
                    ReplicationPolicy.class, ReplicationPolicyProto.getDefaultInstance())
            .with("override", PolicyCodec::override)
            .derived();

    private static final RecordMapping<Policy, PolicyProto> POLICY = RecordMapping.partly(
                    Policy.class, PolicyProto.getDefaultInstance())
            .with("replication", REPLICATION)
            .derived();

    private PolicyCodec() {}

    static PolicyProto toWire(Policy policy) {
        return POLICY.toWire(policy);
    }

    /**
     * Reads a policy. Checks all fields before it throws.
     *
     * @throws InvalidRecordException with all problems
     */
    static Policy fromWire(PolicyProto wire) throws InvalidRecordException {
        Problems problems = new Problems();
        Policy policy = POLICY.fromWire("", wire, problems);
        problems.throwIfAny();
        return policy;
    }

    private static Optional<FactorOverride> override(String field, ReplicationPolicyProto policy, Problems problems) {
        if (!policy.hasOverride()) {
            return Optional.empty();
        }
        FactorOverrideProto.Builder override = policy.getOverride().toBuilder();
        if (override.getFactorsCount() != policy.getTiersCount()) {
            problems.add(Checks.inconsistent("%s.factors has %s factors; allowed: one a tier, %s"
                    .formatted(field, override.getFactorsCount(), policy.getTiersCount())));
            override.clearFactors();
        }
        return Optional.of(FACTORS.fromWire(field, override.build(), problems));
    }
}
