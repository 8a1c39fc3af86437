package io.kipimo.core.rating.squeeze;

import io.kipimo.core.rating.ExperimentTally;
import io.kipimo.core.rating.Verdict;
import java.util.Optional;

/** What to do with the share. */
public sealed interface SqueezeDecision {
    /** More of it, since {@code passed} was kept. */
    record Raise(double share, StepResult passed) implements SqueezeDecision {}

    /**
     * Back to the first share at once; it is over.
     *
     * @param last the step that was under way, if it came to a verdict
     */
    record BackOff(SqueezeEnding ending, Optional<StepResult> last) implements SqueezeDecision {}

    /**
     * A step that is over.
     *
     * @param share of the traffic, 0..1
     * @param measuredMillis what {@code target} was counted in
     */
    record StepResult(double share, long measuredMillis, ExperimentTally target, Verdict verdict) {}
}
