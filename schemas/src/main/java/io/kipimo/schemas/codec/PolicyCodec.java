package io.kipimo.schemas.codec;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.wire.AdmissionControllerProto;
import io.kipimo.schemas.wire.AdmissionPolicyProto;
import io.kipimo.schemas.wire.ClassPolicyProto;
import io.kipimo.schemas.wire.MergeKindProto;
import io.kipimo.schemas.wire.MergePolicyProto;
import io.kipimo.schemas.wire.OverrideProto;
import io.kipimo.schemas.wire.PolicyProto;
import io.kipimo.schemas.wire.SamplingPolicyProto;
import io.kipimo.schemas.wire.SignalProto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Policies on the wire. */
final class PolicyCodec {
    private static final MergeKind[] MERGES = MergeKind.values();
    private static final ControllerKind[] CONTROLLERS = ControllerKind.values();
    private static final Signal[] SIGNALS = Signal.values();
    private static final long DAY_MILLIS = 24L * 3600 * 1000;

    private PolicyCodec() {}

    static PolicyProto toWire(Policy policy) {
        PolicyProto.Builder wire =
                PolicyProto.newBuilder()
                        .setService(policy.service())
                        .setVersion(policy.version())
                        .addAllMetrics(policy.metrics())
                        .setMerge(
                                MergePolicyProto.newBuilder()
                                        .setKind(
                                                MergeKindProto.forNumber(
                                                        policy.merge().kind().ordinal() + 1))
                                        .addAllPreference(policy.merge().preference())
                                        .putAllWeights(new TreeMap<>(policy.merge().weights())))
                        .setTopK(policy.topK())
                        .setExpirationWindowMillis(policy.expirationWindowMillis())
                        .setWindowMillis(policy.windowMillis())
                        .setSlideMillis(policy.slideMillis())
                        .setAdmission(toWire(policy.admission()))
                        .setSampling(
                                SamplingPolicyProto.newBuilder()
                                        .setMinimumRate(policy.sampling().minimumRate())
                                        .setMaximumRate(policy.sampling().maximumRate())
                                        .setTargetHalfWidth(policy.sampling().targetHalfWidth())
                                        .setFixedRate(policy.sampling().fixedRate())
                                        .setExtraLoad(policy.sampling().extraLoad()))
                        .setKillSwitch(policy.killSwitch());
        for (ClassPolicy classPolicy : policy.classes()) {
            ClassPolicyProto.Builder wireClass =
                    ClassPolicyProto.newBuilder()
                            .setName(classPolicy.name())
                            .setPriority(classPolicy.priority())
                            .setObjective(classPolicy.objective())
                            .setSafeFraction(classPolicy.safeFraction())
                            .setFloor(classPolicy.floor())
                            .setCeiling(classPolicy.ceiling());
            classPolicy
                    .override()
                    .ifPresent(
                            o ->
                                    wireClass.setOverride(
                                            OverrideProto.newBuilder()
                                                    .setFraction(o.fraction())
                                                    .setUntilMillis(o.untilMillis())
                                                    .setBy(o.by())
                                                    .setReason(o.reason())));
            wire.addClasses(wireClass);
        }
        policy.replication().ifPresent(r -> wire.setReplication(ReplicationPolicyCodec.toWire(r)));
        return wire.build();
    }

    private static AdmissionPolicyProto toWire(AdmissionPolicy a) {
        return AdmissionPolicyProto.newBuilder()
                .setController(AdmissionControllerProto.forNumber(a.controller().ordinal() + 1))
                .setSignal(SignalProto.forNumber(a.signal().ordinal() + 1))
                .setShadow(a.shadow())
                .setKp(a.kp())
                .setKi(a.ki())
                .setKd(a.kd())
                .setCurrentWeight(a.currentWeight())
                .setTimeOutObjective(a.timeOutObjective())
                .setBatchQueries(a.batchQueries())
                .setPeriodMillis(a.periodMillis())
                .setMinimumSamples(a.minimumSamples())
                .setMinimumRatePerSecond(a.minimumRatePerSecond())
                .setDeadBand(a.deadBand())
                .setSlewUp(a.slewUp())
                .setSlewDown(a.slewDown())
                .setStaleAfterPeriods(a.staleAfterPeriods())
                .setLeaseMillis(a.leaseMillis())
                .setDecayMillis(a.decayMillis())
                .build();
    }

    /**
     * Checks everything before it refuses.
     *
     * @throws InvalidRecordException with all problems
     */
    static Policy fromWire(PolicyProto wire) throws InvalidRecordException {
        Problems problems = new Problems();
        String service = problems.check("", () -> Checks.name("service", wire.getService()));
        long version = problems.check(0L, () -> Checks.count("version", wire.getVersion()));
        List<String> metrics = problems.check(List.of(), () -> metrics(wire.getMetricsList()));
        MergePolicy merge = fromWire(wire.getMerge(), problems);
        long topK = problems.within("top_k", wire.getTopK(), 1, QualityCodecs.MAXIMUM_ITEMS);
        long expiration =
                problems.within(
                        "expiration_window_millis",
                        wire.getExpirationWindowMillis(),
                        1,
                        DAY_MILLIS);
        long window = problems.check(0L, () -> window(wire));
        List<ClassPolicy> classes =
                problems.check(List.of(), () -> classes(wire.getClassesList(), problems));
        AdmissionPolicy admission = fromWire(wire.getAdmission(), problems);
        SamplingPolicy sampling = fromWire(wire.getSampling(), problems);
        Optional<ReplicationPolicy> replication =
                wire.hasReplication()
                        ? Optional.of(
                                ReplicationPolicyCodec.fromWire(wire.getReplication(), problems))
                        : Optional.empty();
        problems.throwIfAny();
        return new Policy(
                service,
                version,
                metrics,
                merge,
                (int) topK,
                expiration,
                window,
                wire.getSlideMillis(),
                classes,
                admission,
                sampling,
                wire.getKillSwitch(),
                replication);
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

    private static long window(PolicyProto wire) throws InvalidRecordException {
        long slide = Checks.within("slide_millis", wire.getSlideMillis(), 100, DAY_MILLIS);
        long window = Checks.within("window_millis", wire.getWindowMillis(), slide, DAY_MILLIS);
        if (window % slide != 0 || window / slide > 1000) {
            throw Checks.inconsistent(
                    "window_millis is "
                            + window
                            + "; allowed: 1 to 1000 times slide_millis, which is "
                            + slide);
        }
        return window;
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

    private static List<ClassPolicy> classes(List<ClassPolicyProto> wire, Problems problems)
            throws InvalidRecordException {
        if (wire.isEmpty()) {
            throw Checks.inconsistent("classes is empty; allowed: at least one");
        }
        Checks.parts("classes", wire.size());
        Set<String> names = new HashSet<>();
        List<ClassPolicy> classes = new ArrayList<>();
        for (ClassPolicyProto wireClass : wire) {
            ClassPolicy classPolicy = fromWire(wireClass, problems);
            if (!names.add(classPolicy.name())) {
                problems.add(
                        Checks.inconsistent(
                                "classes names '" + classPolicy.name() + "' twice; allowed: once"));
            }
            classes.add(classPolicy);
        }
        return List.copyOf(classes);
    }

    private static ClassPolicy fromWire(ClassPolicyProto wire, Problems problems) {
        String name = problems.check("?", () -> Checks.name("classes.name", wire.getName()));
        String path = "classes." + name + ".";
        double floor = problems.within(path + "floor", wire.getFloor(), 1e-6, 1);
        return new ClassPolicy(
                name,
                (int) problems.within(path + "priority", wire.getPriority(), 0, 1000),
                problems.within(path + "objective", wire.getObjective(), 0, 1),
                problems.within(path + "safe_fraction", wire.getSafeFraction(), 0, 1),
                floor,
                problems.within(path + "ceiling", wire.getCeiling(), floor, 1),
                wire.hasOverride()
                        ? Optional.of(fromWire(path + "override.", wire.getOverride(), problems))
                        : Optional.empty());
    }

    private static ManualOverride fromWire(String path, OverrideProto wire, Problems problems) {
        return new ManualOverride(
                problems.within(path + "fraction", wire.getFraction(), 0, 1),
                problems.check(
                        0L, () -> Checks.count(path + "until_millis", wire.getUntilMillis())),
                problems.check("", () -> Checks.text(path + "by", wire.getBy())),
                problems.check("", () -> Checks.text(path + "reason", wire.getReason())));
    }

    private static AdmissionPolicy fromWire(AdmissionPolicyProto a, Problems problems) {
        return new AdmissionPolicy(
                problems.check(
                        ControllerKind.PID,
                        () ->
                                Checks.constant(
                                        "admission.controller",
                                        a.getControllerValue(),
                                        CONTROLLERS)),
                problems.check(
                        Signal.QUALITY,
                        () -> Checks.constant("admission.signal", a.getSignalValue(), SIGNALS)),
                a.getShadow(),
                problems.within("admission.kp", a.getKp(), 0, 100),
                problems.within("admission.ki", a.getKi(), 0, 100),
                problems.within("admission.kd", a.getKd(), 0, 1000),
                problems.within("admission.current_weight", a.getCurrentWeight(), 0, 1),
                problems.within("admission.time_out_objective", a.getTimeOutObjective(), 0, 1),
                (int)
                        problems.within(
                                "admission.batch_queries", a.getBatchQueries(), 1, 1_000_000_000),
                problems.within("admission.period_millis", a.getPeriodMillis(), 100, DAY_MILLIS),
                (int)
                        problems.within(
                                "admission.minimum_samples", a.getMinimumSamples(), 1, 1_000_000),
                problems.within(
                        "admission.minimum_rate_per_second", a.getMinimumRatePerSecond(), 0, 1e9),
                problems.within("admission.dead_band", a.getDeadBand(), 0, 1),
                problems.within("admission.slew_up", a.getSlewUp(), 1e-6, 1),
                problems.within("admission.slew_down", a.getSlewDown(), 1e-6, 1),
                (int)
                        problems.within(
                                "admission.stale_after_periods", a.getStaleAfterPeriods(), 1, 1000),
                problems.within("admission.lease_millis", a.getLeaseMillis(), 100, DAY_MILLIS),
                problems.within("admission.decay_millis", a.getDecayMillis(), 0, DAY_MILLIS));
    }

    private static SamplingPolicy fromWire(SamplingPolicyProto s, Problems problems) {
        double minimum = problems.within("sampling.minimum_rate", s.getMinimumRate(), 1e-6, 1);
        return new SamplingPolicy(
                minimum,
                problems.within("sampling.maximum_rate", s.getMaximumRate(), minimum, 1),
                problems.within("sampling.target_half_width", s.getTargetHalfWidth(), 1e-6, 1),
                problems.within("sampling.fixed_rate", s.getFixedRate(), 0, 1),
                problems.within("sampling.extra_load", s.getExtraLoad(), 0, 1));
    }
}
