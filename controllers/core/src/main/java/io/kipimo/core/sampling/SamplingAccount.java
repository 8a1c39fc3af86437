package io.kipimo.core.sampling;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.quality.QualityWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Explains a decision of the sampling loop in sentences, which name its input, its budget and its step. */
public final class SamplingAccount {
    private SamplingAccount() {}

    /**
     * Returns the explanation, one sentence an element, in the order of the steps.
     *
     * @param before state of the loop before the step
     * @param window window that the step used; empty: the step was a heartbeat
     * @param decision the decision that the step took
     */
    public static List<String> of(
            SamplingMemory before, Optional<QualityWindow> window, StepContext<Policy> context, Decision decision) {
        List<String> lines = new ArrayList<>();
        SamplingPolicy sampling = context.policy().sampling();
        if (window.isPresent()) {
            QualityWindow w = window.get();
            SamplingBudget budget = before.with(w.queryClass(), ClassLoad.of(w)).budget();
            lines.add("Input: the averaging window of class %s that ends at %s: %s samples, half-width %s, wanted %s."
                    .formatted(
                            w.queryClass(),
                            Instant.ofEpochMilli(w.endMillis()),
                            w.samples(),
                            w.estimate().map(e -> figure(e.halfWidth())).orElse("unknown"),
                            figure(sampling.targetHalfWidth())));
            lines.add("Budget: least admitted share of a class %s%s; late work %s, allowed %s."
                    .formatted(
                            figure(budget.leastAdmitted()),
                            budget.isSpent() ? ", so measuring is reduced" : "",
                            budget.extraLoad().isPresent()
                                    ? figure(budget.extraLoad().getAsDouble()) + " of that for the answers"
                                    : "unknown",
                            sampling.extraLoad() > 0 ? figure(sampling.extraLoad()) : "any"));
        } else {
            lines.add("Input: a heartbeat, no window; the rate in force is renewed.");
        }
        lines.add("Step: from %s to %s; allowed are %s to %s%s."
                .formatted(
                        figure(decision.previous()),
                        figure(decision.value()),
                        figure(sampling.minimumRate()),
                        figure(sampling.maximumRate()),
                        sampling.fixedRate() > 0 ? ", fixed at " + figure(sampling.fixedRate()) : ""));
        lines.add("Decision: "
                + decision.mode()
                + ", "
                + decision.reason()
                + DecisionReason.named(decision.reason())
                        .map(r -> ": " + r.sentence())
                        .orElse(""));
        return lines;
    }

    private static String figure(double value) {
        String text = String.format(Locale.ROOT, "%.5f", value);
        return text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
}
