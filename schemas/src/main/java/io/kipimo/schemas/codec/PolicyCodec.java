package io.kipimo.schemas.codec;

import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.wire.FactorOverrideProto;
import io.kipimo.schemas.wire.MergePolicyProto;
import io.kipimo.schemas.wire.PolicyProto;
import io.kipimo.schemas.wire.ReplicationPolicyProto;
import java.util.List;
import java.util.Optional;

/** Policies on the wire. */
final class PolicyCodec {
    private static final RecordMapping<FactorOverride, FactorOverrideProto> FACTORS =
            RecordMapping.of(FactorOverride.class, FactorOverrideProto.getDefaultInstance());

    private static final RecordMapping<ReplicationPolicy, ReplicationPolicyProto> REPLICATION = RecordMapping.partly(
                    ReplicationPolicy.class, ReplicationPolicyProto.getDefaultInstance())
            .with("override", PolicyCodec::override)
            .derived();

    private static final RecordMapping<MergePolicy, MergePolicyProto> MERGE = RecordMapping.of(
                    MergePolicy.class, MergePolicyProto.getDefaultInstance())
            .check(PolicyCodec::checkPreference);

    private static final RecordMapping<Policy, PolicyProto> POLICY = RecordMapping.partly(
                    Policy.class, PolicyProto.getDefaultInstance())
            .with("merge", MERGE)
            .with("replication", REPLICATION)
            .derived()
            .check(PolicyCodec::checkWindow)
            .check(PolicyCodec::checkFanOut);

    private PolicyCodec() {}

    static PolicyProto toWire(Policy policy) {
        return POLICY.toWire(policy);
    }

    /**
     * Checks all fields before it throws.
     *
     * @throws InvalidRecordException with all problems
     */
    static Policy fromWire(PolicyProto wire) throws InvalidRecordException {
        Problems problems = new Problems();
        Policy policy = POLICY.fromWire("", wire, problems);
        problems.throwIfAny();
        return policy;
    }

    private static void checkWindow(String path, Policy policy, PolicyProto wire) throws InvalidRecordException {
        long window = wire.getWindowMillis();
        long slide = wire.getSlideMillis();
        // A value that its own check refused has been replaced, and is not checked again.
        boolean allowed = policy.windowMillis() == window && policy.slideMillis() == slide;
        if (allowed && (window % slide != 0 || window / slide > 1000)) {
            throw Checks.inconsistent(
                    "window_millis is " + window + "; allowed: 1 to 1000 times slide_millis, which is " + slide);
        }
    }

    private static void checkFanOut(String path, Policy policy, PolicyProto wire) throws InvalidRecordException {
        if (policy.fanOut().isEmpty()) {
            return;
        }
        List<String> own = policy.classes().stream().map(ClassPolicy::name).toList();
        List<String> named = policy.fanOut().get().classes();
        if (named.isEmpty()) {
            throw Checks.inconsistent("fan_out.classes is empty; allowed: at least one of " + String.join(", ", own));
        }
        for (String name : named) {
            if (!own.contains(name)) {
                throw Checks.inconsistent(
                        "fan_out.classes names '" + Names.printable(name) + "'; allowed: " + String.join(", ", own));
            }
        }
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

    private static void checkPreference(String path, MergePolicy merge, MergePolicyProto wire)
            throws InvalidRecordException {
        if (merge.kind() == MergeKind.PREFERRED && wire.getPreferenceCount() == 0) {
            throw Checks.inconsistent(path + "preference is empty; allowed: at least one with PREFERRED");
        }
    }
}
