package io.kipimo.simulator.scenario;

import io.kipimo.core.guard.PolicyCheck;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.policy.SamplingPolicyBuilder;
import io.kipimo.simulator.control.ControlSpec;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.workload.ClassArrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the section {@code control}; the policy in it has the fields of a policy file. */
final class ControlReader {
    private static final RecordFields<SamplingPolicy> SAMPLING = RecordFields.of(SamplingPolicy.class);

    private ControlReader() {}

    static Optional<ControlSpec> read(Fields fields, ServiceSpec service) {
        ScenarioController controller = fields.choice("controller", ScenarioController.QUALITY);
        ControlSpec.Estimator estimator = fields.choice("estimator", ControlSpec.Estimator.ASSISTED);
        double delay = fields.number("log_delay_millis", 50, 0, 1e6) / 1000;
        double disorder = fields.number("out_of_order_millis", 2000, 0, 1e6) / 1000;
        Fields policyFields = fields.section("policy");
        Policy policy = policy(policyFields, service);
        policyFields.end();
        fields.end();
        PolicyCheck.problems(policy).forEach(p -> policyFields.problem("", p));
        return fields.make(
                Optional.empty(),
                () -> Optional.of(controller.in(new ControlSpec(policy, estimator, true, delay, disorder))));
    }

    private static Policy policy(Fields fields, ServiceSpec service) {
        List<String> metrics = fields.texts("metrics", List.of("tpr@" + service.topK()));
        for (String metric : metrics) {
            fields.make(null, () -> Similarities.parse(metric));
        }
        MergeKind merge = fields.choice("merge", MergeKind.TOP_K_BY_SCORE);
        if (merge != MergeKind.TOP_K_BY_SCORE && merge != MergeKind.UNION) {
            fields.problem("merge", "is " + merge + "; allowed in a simulation: top_k_by_score, union");
        }
        long expiration = count(fields, "expiration_window_millis", 10_000);
        long window = count(fields, "window_millis", 600_000);
        long slide = count(fields, "slide_millis", 10_000);
        if (window % slide != 0) {
            fields.problem("window_millis", "is " + window + "; allowed: a multiple of slide_millis, " + slide);
        }
        List<ClassPolicy> classes = new ArrayList<>();
        for (Fields one : fields.someSections("classes")) {
            classes.add(classPolicy(one));
        }
        String wanted =
                names(service.classes().stream().map(ClassArrivals::name).toList());
        String promised = names(classes.stream().map(ClassPolicy::name).toList());
        if (!wanted.equals(promised)) {
            fields.problem("classes", "are " + promised + "; allowed: those of the service, " + wanted);
        }
        Fields admissionFields = fields.section("admission");
        AdmissionPolicy admission = admissionFields.numbers(AdmissionPolicy.DEFAULT.withShadow(false), Set.of());
        admissionFields.end();
        Fields samplingFields = fields.section("sampling");
        SamplingPolicy sampling = sampling(samplingFields);
        samplingFields.end();
        Optional<FanOutPolicy> fanOut = fields.optionalSection("fan_out").map(ControlReader::fanOut);
        return Policy.builder()
                .service(service.name())
                .version(1)
                .metrics(metrics)
                .merge(new MergePolicy(merge, List.of(), Map.of()))
                .topK(service.topK())
                .expirationWindowMillis(expiration)
                .windowMillis(window)
                .slideMillis(slide)
                .classes(classes)
                .admission(admission)
                .sampling(sampling)
                .fanOut(fanOut)
                .build();
    }

    /** Carried out, not only told: a simulation is to show what it brings. */
    private static FanOutPolicy fanOut(Fields fields) {
        FanOutPolicy defaults = FanOutPolicy.builder()
                .classes(fields.texts("classes", List.of()))
                .shadow(false)
                .build();
        FanOutPolicy read = fields.numbers(defaults, Set.of());
        fields.end();
        return read;
    }

    /**
     * Adaptive if a target is given, else a fixed rate. Late work has no budget here: experiments show the cost of
     * rates.
     */
    private static SamplingPolicy sampling(Fields fields) {
        SamplingPolicyBuilder sampling = SamplingPolicy.builder().extraLoad(0);
        SamplingPolicy d = sampling.build();
        if (fields.has("target_half_width")) {
            FieldBounds width = SAMPLING.named("target_half_width").bounds();
            return sampling.minimumRate(number(fields, "minimum_rate", d.minimumRate()))
                    .maximumRate(number(fields, "maximum_rate", d.maximumRate()))
                    .targetHalfWidth(fields.number("target_half_width", width.least(), width.most()))
                    .build();
        }
        return sampling.maximumRate(1)
                .fixedRate(fields.number("fixed_rate", 0.2, Range.LEAST_FRACTION, 1))
                .build();
    }

    private static double number(Fields fields, String name, double fallback) {
        FieldBounds bounds = SAMPLING.named(name).bounds();
        return fields.number(name, fallback, bounds.least(), bounds.most());
    }

    private static long count(Fields fields, String name, long fallback) {
        FieldBounds bounds = RecordFields.of(Policy.class).named(name).bounds();
        return fields.count(name, fallback, (long) bounds.least(), (long) bounds.most());
    }

    private static String names(List<String> names) {
        return names.stream().sorted().collect(Collectors.joining(", "));
    }

    private static ClassPolicy classPolicy(Fields fields) {
        ClassPolicy defaults = ClassPolicy.builder().name(fields.text("name")).build();
        ClassPolicy read = fields.numbers(defaults, Set.of("objective"));
        fields.end();
        return read;
    }
}
