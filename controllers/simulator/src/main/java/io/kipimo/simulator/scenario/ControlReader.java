package io.kipimo.simulator.scenario;

import io.kipimo.core.guard.PolicyCheck;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.schemas.document.Section;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the section {@code control}; the policy in it has the fields of a policy file. */
final class ControlReader {
    private static final RecordFields<SamplingPolicy> SAMPLING = RecordFields.of(SamplingPolicy.class);

    private ControlReader() {}

    static Optional<ControlSpec> read(Section fields, ServiceSpec service) {
        ScenarioController controller =
                fields.choice("controller", ScenarioController.class, ScenarioController.QUALITY);
        ControlSpec.ControlEstimator estimator =
                fields.choice("estimator", ControlSpec.ControlEstimator.class, ControlSpec.ControlEstimator.ASSISTED);
        double delay = fields.number("log_delay_millis", 50, 0, 1e6) / 1000;
        double disorder = fields.number("out_of_order_millis", 2000, 0, 1e6) / 1000;
        Policy policy = fields.section("policy", section -> {
            Policy read = policy(section, service);
            PolicyCheck.problems(read).forEach(p -> section.problem("", p));
            return read;
        });
        return fields.make(() -> controller.in(new ControlSpec(policy, estimator, true, delay, disorder)));
    }

    private static Policy policy(Section fields, ServiceSpec service) {
        List<String> metrics = fields.texts("metrics", List.of("tpr@" + service.topK()));
        for (String metric : metrics) {
            var unused = fields.make(() -> Similarities.parse(metric));
        }
        MergeKind merge = fields.choice("merge", MergeKind.class, MergeKind.TOP_K_BY_SCORE);
        if (merge != MergeKind.TOP_K_BY_SCORE && merge != MergeKind.UNION) {
            fields.problem("merge", "is " + merge + "; allowed in a simulation: top_k_by_score, union");
        }
        long expiration = count(fields, "expiration_window_millis", 10_000);
        long window = count(fields, "window_millis", 600_000);
        long slide = count(fields, "slide_millis", 10_000);
        if (window % slide != 0) {
            fields.problem("window_millis", "is " + window + "; allowed: a multiple of slide_millis, " + slide);
        }
        List<ClassPolicy> classes = fields.someSections("classes", ControlReader::classPolicy);
        String wanted =
                names(service.classes().stream().map(ClassArrivals::name).toList());
        String promised = names(classes.stream().map(ClassPolicy::name).toList());
        if (!wanted.equals(promised)) {
            fields.problem("classes", "are " + promised + "; allowed: those of the service, " + wanted);
        }
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
                .admission(fields.section(
                        "admission",
                        section -> section.record(
                                AdmissionPolicy.DEFAULT.withShadow(false), "controller", "signal", "shadow")))
                .sampling(fields.section("sampling", ControlReader::sampling))
                // Carried out, not only told: a simulation is to show what it brings.
                .fanOut(fields.optional(
                        "fan_out",
                        section -> section.record(
                                FanOutPolicy.builder().shadow(false).build(), "shadow")))
                .build();
    }

    /**
     * Reads the sampling policy: adaptive if a target is given, and otherwise a fixed rate. Late work has no budget
     * here, because experiments show the cost of rates.
     */
    private static SamplingPolicy sampling(Section fields) {
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

    private static double number(Section fields, String name, double fallback) {
        FieldBounds bounds = SAMPLING.named(name).bounds();
        return fields.number(name, fallback, bounds.least(), bounds.most());
    }

    private static long count(Section fields, String name, long fallback) {
        FieldBounds bounds = RecordFields.of(Policy.class).named(name).bounds();
        return fields.count(name, fallback, bounds.leastWhole(), bounds.mostWhole());
    }

    private static ClassPolicy classPolicy(Section fields) {
        ClassPolicy read = ClassPolicy.builder()
                .name(fields.needed("name", "a text"))
                .objective(fields.number("objective", 0, 1))
                .build();
        return fields.record(read, "name", "objective");
    }

    private static String names(List<String> names) {
        return names.stream().sorted().collect(Collectors.joining(", "));
    }
}
