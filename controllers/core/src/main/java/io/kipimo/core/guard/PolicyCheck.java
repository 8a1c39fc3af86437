package io.kipimo.core.guard;

import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Checks whether controllers can follow a policy. The codec checks policies from the log; this check covers policies
 * from other sources too, since a wrong policy can take a site down.
 */
public final class PolicyCheck {
    /**
     * Bounds of a fixed sampling rate. They are stricter than the check of the readers, which must accept policies that
     * earlier versions stored.
     */
    private static final FieldBounds FIXED_RATE = new FieldBounds(Range.LEAST_FRACTION, 1);

    /** Relative rise of the load by which the loss grows e-fold, for queues at a deadline of 20 service times. */
    private static final double FOLD = 0.03;

    /**
     * Greatest growth of the loss a unit of load: an overloaded service answers its capacity, and some of its work is
     * lost.
     */
    private static final double STEEPEST = 2;

    private PolicyCheck() {}

    /** All problems, each with field, value and allowed range; empty if there are none. */
    public static List<String> problems(Policy policy) {
        List<String> problems = new ArrayList<>(RecordFields.problems(policy));
        double fixedRate = policy.sampling().fixedRate();
        if (fixedRate > 0 && !FIXED_RATE.admits(fixedRate)) {
            problems.add(FIXED_RATE.refusal("sampling.fixed_rate", fixedRate));
        }
        if (policy.classes().isEmpty()) {
            problems.add("classes is empty; allowed: at least one");
        }
        if (policy.metrics().isEmpty()) {
            problems.add("metrics is empty; allowed: at least one");
        }
        return problems;
    }

    /**
     * Warns about values that are possible but probably not wanted: gains of admission at which the fraction oscillates
     * near the objective. The loss there grows by {@code (1 - objective) / 0.03} a unit of load, at most by 2. A
     * velocity PI one step behind is stable while this growth times {@code 2 kp + ki period} is below 2 (Jury's
     * criterion).
     */
    public static List<String> warnings(Policy policy) {
        AdmissionPolicy admission = policy.admission();
        if (admission.controller() != ControllerKind.PID || policy.classes().isEmpty()) {
            return List.of();
        }
        double slope = Math.min(STEEPEST, (1 - policy.highestClass().objective()) / FOLD);
        double seconds = admission.periodMillis() / 1000.0;
        double gain = slope * (2 * admission.kp() + admission.ki() * seconds);
        return gain < 2
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "admission.kp is %s and admission.ki is %s with a period of %s s; the fraction probably oscillates"
                                + " near the objective: their loop gain is %.1f, stable is below 2",
                        admission.kp(),
                        admission.ki(),
                        seconds,
                        gain));
    }
}
