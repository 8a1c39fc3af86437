package io.kipimo.core.sampling.adaptive;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.List;

/**
 * The whole sampling decision for one service: {@link AdaptiveSampling} on the windows of its
 * highest class, within a budget that is read off the unsampled counts of all its classes. Pure, as
 * {@link io.kipimo.core.admission.AdmissionLoop} is.
 */
public final class SamplingLoop {
    private SamplingLoop() {}

    /** What is remembered afterwards, and one decision, or none. */
    public record Step(SamplingMemory next, List<Decision> decisions) {
        private static Step of(SamplingMemory memory, SamplingStep step) {
            return new Step(memory.with(step.next()), step.decision().stream().toList());
        }
    }

    /**
     * A step, on every window.
     *
     * @param epoch of the job attempt
     * @param nowMillis processing time, epoch milliseconds
     */
    public static Step step(
            SamplingMemory memory,
            Policy policy,
            QualityWindow window,
            long epoch,
            long nowMillis) {
        boolean tellsLoad =
                window.kind() == WindowKind.SLIDING
                        && policy.classPolicy(window.queryClass()).isPresent();
        SamplingMemory latest =
                tellsLoad ? memory.with(window.queryClass(), ClassLoad.of(window)) : memory;
        return Step.of(
                latest,
                AdaptiveSampling.step(
                        latest.controller(), policy, window, latest.budget(), epoch, nowMillis));
    }

    /** Renews the rate in force, every period of processing time. */
    public static Step heartbeat(SamplingMemory memory, Policy policy, long epoch, long nowMillis) {
        return Step.of(
                memory, AdaptiveSampling.heartbeat(memory.controller(), policy, epoch, nowMillis));
    }
}
