package io.kipimo.operators.admission;

import io.kipimo.core.control.Controller;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.sampling.adaptive.SamplingMemory;
import io.kipimo.operators.control.ControlFunction;
import io.kipimo.operators.control.EpochClaimer;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.replication.ReplicationDecision;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.MetricGroup;

/** Runs {@link Controller#SAMPLING}, keyed by service. */
public final class SamplingFunction
        extends ControlFunction<QualityWindow, ReplicationDecision, Decision, SamplingMemory> {
    private static final long serialVersionUID = 1L;

    private transient ControlMetrics metrics;

    public SamplingFunction(EpochClaimer claimer) {
        super(claimer, Decision.SAMPLING);
    }

    @Override
    protected ValueStateDescriptor<SamplingMemory> descriptor() {
        return new ValueStateDescriptor<>(
                "sampling-state", TypeInformation.of(SamplingMemory.class));
    }

    @Override
    protected SamplingMemory initial() {
        return Controller.SAMPLING.initial();
    }

    @Override
    protected Step<SamplingMemory, Decision> step(
            SamplingMemory memory, QualityWindow window, Moment moment) {
        return of(
                Controller.SAMPLING.step(
                        memory, moment.policy(), window, moment.epoch(), moment.nowMillis()));
    }

    @Override
    protected Step<SamplingMemory, Decision> heartbeat(SamplingMemory memory, Moment moment) {
        return of(
                Controller.SAMPLING.heartbeat(
                        memory, moment.policy(), moment.epoch(), moment.nowMillis()));
    }

    /** Sampling moves nothing that others would notice. */
    @Override
    protected MoverTurn hear(MoverTurn before, ReplicationDecision decision, Policy policy) {
        return before;
    }

    @Override
    protected long periodMillis(Policy policy) {
        return policy.admission().periodMillis();
    }

    @Override
    protected void registerMetrics(MetricGroup group) {
        metrics = new ControlMetrics(group);
    }

    @Override
    protected void count(Decision decision) {
        metrics.decided(decision);
    }

    private static Step<SamplingMemory, Decision> of(Controller.Step<SamplingMemory> step) {
        return new Step<>(step.next(), step.decisions());
    }
}
