package io.kipimo.core.rating;

import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.Optional;

/** A change of the share. */
public sealed interface SqueezeDecision {
    /** Raise it to {@code share}, since the last step passed. */
    record Raise(double share, StepResult passed) implements SqueezeDecision {}

    /**
     * Restore the first share at once and end the squeeze.
     *
     * @param last the last step, if it has a verdict
     */
    record BackOff(SqueezeEnding ending, Optional<StepResult> last) implements SqueezeDecision {}

    /**
     * A finished step.
     *
     * @param share share of the traffic, 0..1
     * @param measuredMillis time over which {@code target} was counted
     */
    record StepResult(double share, long measuredMillis, ExperimentCounts target, Verdict verdict) {}
}
