package io.kipimo.simulator.scenario;

import io.kipimo.core.guard.PolicyCheck;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.simulator.control.ControlSpec;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.workload.ClassArrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the section {@code control}; the policy in it has the fields of a policy file. */
final class ControlReader {
    private static final long DAY_MILLIS = 86_400_000;

    private ControlReader() {}

    static Optional<ControlSpec> read(Fields fields, ServiceSpec service) {
        ScenarioController controller = fields.choice("controller", ScenarioController.QUALITY);
        ControlSpec.Estimator estimator =
                fields.choice("estimator", ControlSpec.Estimator.STRATIFIED);
        double delay = fields.number("log_delay_millis", 50, 0, 1e6) / 1000;
        double disorder = fields.number("out_of_order_millis", 2000, 0, 1e6) / 1000;
        Fields policyFields = fields.section("policy");
        Policy policy = policy(policyFields, service);
        policyFields.end();
        fields.end();
        PolicyCheck.problems(policy).forEach(p -> policyFields.problem("", p));
        return fields.make(
                Optional.empty(),
                () ->
                        Optional.of(
                                controller.in(
                                        new ControlSpec(
                                                policy, estimator, true, delay, disorder))));
    }

    private static Policy policy(Fields fields, ServiceSpec service) {
        List<String> metrics = fields.texts("metrics", List.of("tpr@" + service.topK()));
        for (String metric : metrics) {
            fields.make(null, () -> Similarities.parse(metric));
        }
        MergeKind merge = fields.choice("merge", MergeKind.TOP_K_BY_SCORE);
        if (merge != MergeKind.TOP_K_BY_SCORE && merge != MergeKind.UNION) {
            fields.problem(
                    "merge", "is " + merge + "; allowed in a simulation: top_k_by_score, union");
        }
        long expiration = fields.count("expiration_window_millis", 10_000, 1, DAY_MILLIS);
        long window = fields.count("window_millis", 600_000, 1, DAY_MILLIS);
        long slide = fields.count("slide_millis", 10_000, 1, DAY_MILLIS);
        if (window % slide != 0) {
            fields.problem(
                    "window_millis",
                    "is " + window + "; allowed: a multiple of slide_millis, " + slide);
        }
        List<ClassPolicy> classes = new ArrayList<>();
        for (Fields one : fields.someSections("classes")) {
            classes.add(classPolicy(one));
        }
        String wanted = names(service.classes().stream().map(ClassArrivals::name).toList());
        String promised = names(classes.stream().map(ClassPolicy::name).toList());
        if (!wanted.equals(promised)) {
            fields.problem(
                    "classes", "are " + promised + "; allowed: those of the service, " + wanted);
        }
        Fields admissionFields = fields.section("admission");
        AdmissionPolicy admission = admission(admissionFields);
        admissionFields.end();
        Fields samplingFields = fields.section("sampling");
        SamplingPolicy sampling = sampling(samplingFields);
        samplingFields.end();
        return new Policy(
                service.name(),
                1,
                metrics,
                new MergePolicy(merge, List.of(), Map.of()),
                service.topK(),
                expiration,
                window,
                slide,
                classes,
                admission,
                sampling,
                false);
    }

    /**
     * Adaptive if a target is given, else a fixed rate. Late work has no budget here: experiments
     * show the cost of rates.
     */
    private static SamplingPolicy sampling(Fields fields) {
        SamplingPolicy d = SamplingPolicy.DEFAULT;
        if (fields.has("target_half_width")) {
            return new SamplingPolicy(
                    fields.number("minimum_rate", d.minimumRate(), 1e-6, 1),
                    fields.number("maximum_rate", d.maximumRate(), 1e-6, 1),
                    fields.number("target_half_width", 1e-6, 1),
                    0,
                    0);
        }
        return new SamplingPolicy(
                d.minimumRate(),
                1,
                d.targetHalfWidth(),
                fields.number("fixed_rate", 0.2, 1e-6, 1),
                0);
    }

    private static String names(List<String> names) {
        return names.stream().sorted().collect(Collectors.joining(", "));
    }

    private static ClassPolicy classPolicy(Fields fields) {
        String name = fields.text("name");
        int priority = fields.whole("priority", 0, 0, 1000);
        double objective = fields.number("objective", 0, 1);
        double safe = fields.number("safe_fraction", 1, 0, 1);
        double floor = fields.number("floor", 0.05, 1e-6, 1);
        double ceiling = fields.number("ceiling", 1, floor, 1);
        fields.end();
        return new ClassPolicy(name, priority, objective, safe, floor, ceiling, Optional.empty());
    }

    private static AdmissionPolicy admission(Fields f) {
        AdmissionPolicy d = AdmissionPolicy.DEFAULT;
        return new AdmissionPolicy(
                d.controller(),
                d.signal(),
                false,
                f.number("kp", d.kp(), 0, 100),
                f.number("ki", d.ki(), 0, 100),
                f.number("kd", d.kd(), 0, 1000),
                f.number("current_weight", d.currentWeight(), 0, 1),
                f.number("time_out_objective", d.timeOutObjective(), 0, 1),
                f.whole("batch_queries", d.batchQueries(), 1, 1_000_000),
                f.count("period_millis", d.periodMillis(), 1, DAY_MILLIS),
                f.whole("minimum_samples", d.minimumSamples(), 1, 1_000_000),
                f.number("minimum_rate_per_second", d.minimumRatePerSecond(), 0, 1e9),
                f.number("dead_band", d.deadBand(), 0, 1),
                f.number("slew_up", d.slewUp(), 1e-6, 1),
                f.number("slew_down", d.slewDown(), 1e-6, 1),
                f.whole("stale_after_periods", d.staleAfterPeriods(), 1, 1000),
                f.count("lease_millis", d.leaseMillis(), 1, DAY_MILLIS),
                f.count("decay_millis", d.decayMillis(), 0, DAY_MILLIS));
    }
}
