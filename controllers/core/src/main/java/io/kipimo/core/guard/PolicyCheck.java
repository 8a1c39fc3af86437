package io.kipimo.core.guard;

import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.policy.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks whether controllers can follow a policy. The codec checks policies from the log; this check covers policies
 * from other sources too, since a wrong policy can take a site down.
 */
public final class PolicyCheck {
    /** Stricter than the readers' check, which must accept policies stored by earlier versions. */
    private static final FieldBounds FIXED_RATE = new FieldBounds(Range.LEAST_FRACTION, 1);

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
}
