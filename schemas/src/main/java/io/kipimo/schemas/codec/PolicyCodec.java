package io.kipimo.schemas.codec;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
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
import java.util.HashSet;
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
                                        .putAllWeights(policy.merge().weights()))
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
                                        .setFixedRate(policy.sampling().fixedRate()))
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

    static Policy fromWire(PolicyProto wire) throws InvalidRecordException {
        if (wire.getMetricsCount() == 0) {
            throw Checks.inconsistent("metrics is empty; allowed: at least one, the primary first");
        }
        Checks.parts("metrics", wire.getMetricsCount());
        List<String> metrics = new ArrayList<>();
        for (String metric : wire.getMetricsList()) {
            metrics.add(Checks.name("metrics", metric));
        }
        long slide = Checks.within("slide_millis", wire.getSlideMillis(), 100, DAY_MILLIS);
        long window = Checks.within("window_millis", wire.getWindowMillis(), slide, DAY_MILLIS);
        if (window % slide != 0 || window / slide > 1000) {
            throw Checks.inconsistent(
                    "window_millis is "
                            + window
                            + "; allowed: 1 to 1000 times slide_millis, which is "
                            + slide);
        }
        return new Policy(
                Checks.name("service", wire.getService()),
                Checks.count("version", wire.getVersion()),
                List.copyOf(metrics),
                fromWire(wire.getMerge()),
                (int) Checks.within("top_k", wire.getTopK(), 1, QualityCodecs.MAXIMUM_ITEMS),
                Checks.within(
                        "expiration_window_millis",
                        wire.getExpirationWindowMillis(),
                        1,
                        DAY_MILLIS),
                window,
                slide,
                classes(wire.getClassesList()),
                fromWire(wire.getAdmission()),
                fromWire(wire.getSampling()),
                wire.getKillSwitch());
    }

    private static MergePolicy fromWire(MergePolicyProto wire) throws InvalidRecordException {
        List<String> preference = new ArrayList<>();
        for (String component : wire.getPreferenceList()) {
            preference.add(Checks.name("merge.preference", component));
        }
        Map<String, Double> weights = new TreeMap<>();
        for (Map.Entry<String, Double> weight : wire.getWeightsMap().entrySet()) {
            weights.put(
                    Checks.name("merge.weights", weight.getKey()),
                    Checks.within(
                            "merge.weights." + weight.getKey(), weight.getValue(), 1e-9, 1e9));
        }
        MergeKind kind = Checks.constant("merge.kind", wire.getKind(), wire.getKindValue(), MERGES);
        if (kind == MergeKind.PREFERRED && preference.isEmpty()) {
            throw Checks.inconsistent(
                    "merge.preference is empty; allowed with PREFERRED: at least one");
        }
        return new MergePolicy(kind, List.copyOf(preference), weights);
    }

    private static List<ClassPolicy> classes(List<ClassPolicyProto> wire)
            throws InvalidRecordException {
        if (wire.isEmpty()) {
            throw Checks.inconsistent("classes is empty; allowed: at least one");
        }
        Checks.parts("classes", wire.size());
        Set<String> names = new HashSet<>();
        List<ClassPolicy> classes = new ArrayList<>();
        for (ClassPolicyProto c : wire) {
            String name = Checks.name("classes.name", c.getName());
            if (!names.add(name)) {
                throw Checks.inconsistent("classes names '" + name + "' twice; allowed: once");
            }
            double floor = Checks.within("classes.floor", c.getFloor(), 1e-6, 1);
            double ceiling = Checks.within("classes.ceiling", c.getCeiling(), floor, 1);
            Optional<ManualOverride> override = Optional.empty();
            if (c.hasOverride()) {
                OverrideProto o = c.getOverride();
                override =
                        Optional.of(
                                new ManualOverride(
                                        Checks.fraction(
                                                "classes.override.fraction", o.getFraction()),
                                        Checks.count(
                                                "classes.override.until_millis",
                                                o.getUntilMillis()),
                                        Checks.text("classes.override.by", o.getBy()),
                                        Checks.text("classes.override.reason", o.getReason())));
            }
            classes.add(
                    new ClassPolicy(
                            name,
                            (int) Checks.within("classes.priority", c.getPriority(), 0, 1000),
                            Checks.fraction("classes.objective", c.getObjective()),
                            Checks.fraction("classes.safe_fraction", c.getSafeFraction()),
                            floor,
                            ceiling,
                            override));
        }
        return List.copyOf(classes);
    }

    private static AdmissionPolicy fromWire(AdmissionPolicyProto a) throws InvalidRecordException {
        return new AdmissionPolicy(
                Checks.constant(
                        "admission.controller",
                        a.getController(),
                        a.getControllerValue(),
                        CONTROLLERS),
                Checks.constant("admission.signal", a.getSignal(), a.getSignalValue(), SIGNALS),
                a.getShadow(),
                Checks.within("admission.kp", a.getKp(), 0, 100),
                Checks.within("admission.ki", a.getKi(), 0, 100),
                Checks.within("admission.kd", a.getKd(), 0, 1000),
                Checks.fraction("admission.current_weight", a.getCurrentWeight()),
                Checks.fraction("admission.time_out_objective", a.getTimeOutObjective()),
                (int)
                        Checks.within(
                                "admission.batch_queries", a.getBatchQueries(), 1, 1_000_000_000),
                Checks.within("admission.period_millis", a.getPeriodMillis(), 100, DAY_MILLIS),
                (int)
                        Checks.within(
                                "admission.minimum_samples", a.getMinimumSamples(), 1, 1_000_000),
                Checks.within(
                        "admission.minimum_rate_per_second", a.getMinimumRatePerSecond(), 0, 1e9),
                Checks.fraction("admission.dead_band", a.getDeadBand()),
                Checks.within("admission.slew_up", a.getSlewUp(), 1e-6, 1),
                Checks.within("admission.slew_down", a.getSlewDown(), 1e-6, 1),
                (int)
                        Checks.within(
                                "admission.stale_after_periods", a.getStaleAfterPeriods(), 1, 1000),
                Checks.within("admission.lease_millis", a.getLeaseMillis(), 100, DAY_MILLIS),
                Checks.within("admission.decay_millis", a.getDecayMillis(), 0, DAY_MILLIS));
    }

    private static SamplingPolicy fromWire(SamplingPolicyProto s) throws InvalidRecordException {
        double minimum = Checks.within("sampling.minimum_rate", s.getMinimumRate(), 1e-6, 1);
        return new SamplingPolicy(
                minimum,
                Checks.within("sampling.maximum_rate", s.getMaximumRate(), minimum, 1),
                Checks.within("sampling.target_half_width", s.getTargetHalfWidth(), 1e-6, 1),
                Checks.fraction("sampling.fixed_rate", s.getFixedRate()));
    }
}
