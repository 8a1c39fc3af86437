package io.kipimo.operators.admission;

import io.kipimo.core.guard.Controller;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.sampling.SamplingLoop;
import io.kipimo.core.sampling.SamplingMemory;
import io.kipimo.operators.control.ControlFunction;
import io.kipimo.operators.control.EpochClaimer;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.replication.ReplicationDecision;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.MetricGroup;

/** Runs {@link SamplingLoop}, keyed by service. */
public final class SamplingFunction
        extends ControlFunction<QualityWindow, ReplicationDecision, Decision, SamplingMemory> {
    private static final long serialVersionUID = 1L;

    private transient ControlMetrics metrics;

    public SamplingFunction(EpochClaimer claimer) {
        super(claimer, Decision.SAMPLING);
    }

    @Override
    protected Controller<SamplingMemory, QualityWindow, Decision, Policy> controller() {
        return new SamplingLoop();
    }

    @Override
    protected ValueStateDescriptor<SamplingMemory> descriptor() {
        return new ValueStateDescriptor<>("sampling-state", StateFormats.SAMPLING.typeInfo());
    }

    @Override
    protected SamplingMemory initial() {
        return SamplingMemory.initial();
    }

    /** Sampling does not depend on the lock. */
    @Override
    protected MoverTurn lockAfter(MoverTurn before, ReplicationDecision decision, Policy policy) {
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
}
