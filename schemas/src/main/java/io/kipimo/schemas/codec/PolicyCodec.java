package io.kipimo.schemas.codec;

import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.wire.FactorOverrideProto;
import io.kipimo.schemas.wire.MergeKindProto;
import io.kipimo.schemas.wire.MergePolicyProto;
import io.kipimo.schemas.wire.PolicyProto;
import io.kipimo.schemas.wire.ReplicationPolicyProto;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Policies on the wire. */
final class PolicyCodec {
    private static final MergeKind[] MERGES = MergeKind.values();

    /** More tiers in a row than any service has. */
    private static final int MOST_TIERS = 16;

    private static final RecordMapping<FactorOverride, FactorOverrideProto> FACTORS =
            RecordMapping.of(FactorOverride.class, FactorOverrideProto.getDefaultInstance());

    private static final RecordMapping<ReplicationPolicy, ReplicationPolicyProto> REPLICATION =
            RecordMapping.partly(
                            ReplicationPolicy.class, ReplicationPolicyProto.getDefaultInstance())
                    .with("override", PolicyCodec::override)
                    .derived()
                    .before("tiers", PolicyCodec::checkTiers);

    private static final RecordMapping<Policy, PolicyProto> POLICY =
            RecordMapping.partly(Policy.class, PolicyProto.getDefaultInstance())
                    .with("metrics", PolicyCodec::metrics)
                    .<MergePolicy, PolicyProto.Builder>with(
                            "merge",
                            (merge, wire) -> wire.setMerge(toWire(merge)),
                            (field, wire, problems) -> fromWire(wire.getMerge(), problems))
                    .with("replication", REPLICATION)
                    .derived()
                    .before("classes", PolicyCodec::checkClasses)
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

    private static List<String> metrics(String field, PolicyProto wire, Problems problems) {
        return problems.check(List.of(), () -> metrics(wire.getMetricsList()));
    }

    private static List<String> metrics(List<String> wire) throws InvalidRecordException {
        if (wire.isEmpty()) {
            throw Checks.inconsistent("metrics is empty; allowed: at least one, the primary first");
        }
        Checks.parts("metrics", wire.size());
        Set<String> metrics = new LinkedHashSet<>();
        for (String metric : wire) {
            if (!metrics.add(Checks.name("metrics", metric))) {
                throw Checks.inconsistent("metrics names '" + metric + "' twice; allowed: once");
            }
        }
        return List.copyOf(metrics);
    }

    private static void checkWindow(String path, Policy policy, PolicyProto wire)
            throws InvalidRecordException {
        long window = wire.getWindowMillis();
        long slide = wire.getSlideMillis();
        // A value that its own check refused has been replaced, and is not checked again.
        boolean allowed = policy.windowMillis() == window && policy.slideMillis() == slide;
        if (allowed && (window % slide != 0 || window / slide > 1000)) {
            throw Checks.inconsistent(
                    "window_millis is "
                            + window
                            + "; allowed: 1 to 1000 times slide_millis, which is "
                            + slide);
        }
    }

    private static void checkFanOut(String path, Policy policy, PolicyProto wire)
            throws InvalidRecordException {
        if (policy.fanOut().isEmpty()) {
            return;
        }
        List<String> own = policy.classes().stream().map(ClassPolicy::name).toList();
        List<String> named = policy.fanOut().get().classes();
        if (named.isEmpty()) {
            throw Checks.inconsistent(
                    "fan_out.classes is empty; allowed: at least one of " + String.join(", ", own));
        }
        for (String name : named) {
            if (!own.contains(name)) {
                throw Checks.inconsistent(
                        "fan_out.classes names '"
                                + Names.printable(name)
                                + "'; allowed: "
                                + String.join(", ", own));
            }
        }
        if (new LinkedHashSet<>(named).size() != named.size()) {
            throw Checks.inconsistent("fan_out.classes names a class twice; allowed: once");
        }
    }

    private static void checkClasses(PolicyProto wire) throws InvalidRecordException {
        if (wire.getClassesCount() == 0) {
            throw Checks.inconsistent("classes is empty; allowed: at least one");
        }
    }

    private static void checkTiers(ReplicationPolicyProto wire) throws InvalidRecordException {
        int tiers = wire.getTiersCount();
        if (tiers == 0 || tiers > MOST_TIERS) {
            throw Checks.inconsistent(
                    "replication.tiers has "
                            + tiers
                            + " tiers; allowed: 1.."
                            + MOST_TIERS
                            + ", first to last");
        }
    }

    private static Optional<FactorOverride> override(
            String field, ReplicationPolicyProto policy, Problems problems) {
        if (!policy.hasOverride()) {
            return Optional.empty();
        }
        FactorOverrideProto.Builder override = policy.getOverride().toBuilder();
        if (override.getFactorsCount() != policy.getTiersCount()) {
            problems.add(
                    Checks.inconsistent(
                            field
                                    + ".factors has "
                                    + override.getFactorsCount()
                                    + " factors; allowed: one a tier, "
                                    + policy.getTiersCount()));
            override.clearFactors();
        }
        return Optional.of(FACTORS.fromWire(field, override.build(), problems));
    }

    private static MergePolicyProto toWire(MergePolicy merge) {
        return MergePolicyProto.newBuilder()
                .setKind(MergeKindProto.forNumber(merge.kind().ordinal() + 1))
                .addAllPreference(merge.preference())
                .putAllWeights(new TreeMap<>(merge.weights()))
                .build();
    }

    private static MergePolicy fromWire(MergePolicyProto wire, Problems problems) {
        MergeKind kind =
                problems.check(
                        MergeKind.UNION,
                        () -> Checks.constant("merge.kind", wire.getKindValue(), MERGES));
        List<String> preference =
                problems.check(List.of(), () -> preference(kind, wire.getPreferenceList()));
        Map<String, Double> weights = problems.check(Map.of(), () -> weights(wire.getWeightsMap()));
        return new MergePolicy(kind, preference, weights);
    }

    private static List<String> preference(MergeKind kind, List<String> wire)
            throws InvalidRecordException {
        Checks.parts("merge.preference", wire.size());
        for (String component : wire) {
            Checks.name("merge.preference", component);
        }
        if (kind == MergeKind.PREFERRED && wire.isEmpty()) {
            throw Checks.inconsistent(
                    "merge.preference is empty; allowed: at least one with PREFERRED");
        }
        return List.copyOf(wire);
    }

    private static Map<String, Double> weights(Map<String, Double> wire)
            throws InvalidRecordException {
        Checks.parts("merge.weights", wire.size());
        Map<String, Double> weights = new TreeMap<>();
        for (Map.Entry<String, Double> weight : wire.entrySet()) {
            String component = Checks.name("merge.weights", weight.getKey());
            weights.put(
                    component,
                    Checks.within("merge.weights." + component, weight.getValue(), 1e-9, 1e9));
        }
        return Collections.unmodifiableMap(weights);
    }
}
