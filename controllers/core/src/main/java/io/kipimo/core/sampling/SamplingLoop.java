package io.kipimo.core.sampling;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.ServiceController;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.replication.ReplicationDecision;

/**
 * The whole sampling decision for one service: {@link AdaptiveSampling} on the windows of its highest class, within a
 * budget that follows from the unsampled counts of all its classes. Its decisions do not affect other controllers, so
 * it ignores the actuation lock.
 */
public final class SamplingLoop
        implements ServiceController<SamplingMemory, QualityWindow, ReplicationDecision, Decision> {
    @Override
    public SamplingMemory initial() {
        return SamplingMemory.initial();
    }

    @Override
    public MoverTurn lockAfter(MoverTurn lock, ReplicationDecision decision, Policy policy) {
        return lock;
    }

    /** Makes a step; to be called with every window. */
    @Override
    public Step<SamplingMemory, Decision> step(
            SamplingMemory memory, QualityWindow window, StepContext<Policy> context) {
        boolean showsLoad = window.kind() == WindowKind.SLIDING
                && context.policy().classPolicy(window.queryClass()).isPresent();
        SamplingMemory latest = showsLoad ? memory.with(window.queryClass(), ClassLoad.of(window)) : memory;
        Step<SamplingState, Decision> step =
                AdaptiveSampling.step(latest.controller(), window, latest.budget(), context);
        return step.withNext(latest.with(step.next()));
    }

    /** Renews the rate in force. */
    @Override
    public Step<SamplingMemory, Decision> heartbeat(SamplingMemory memory, StepContext<Policy> context) {
        Step<SamplingState, Decision> step = AdaptiveSampling.heartbeat(memory.controller(), context);
        return step.withNext(memory.with(step.next()));
    }
}
