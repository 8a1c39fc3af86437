package io.kipimo.operators.replication;

import io.kipimo.core.guard.Controller;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.replication.ReplicationLoop;
import io.kipimo.core.replication.ReplicationState;
import io.kipimo.operators.control.ControlFunction;
import io.kipimo.operators.control.EpochClaimer;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.TailWindow;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.MetricGroup;

/** Runs {@link ReplicationLoop}, keyed by service. Admission's moves hold the actuation lock. */
public final class ReplicationFunction
        extends ControlFunction<TailWindow, Decision, ReplicationDecision, ReplicationState> {
    private static final long serialVersionUID = 1L;

    private transient ReplicationMetrics metrics;

    public ReplicationFunction(EpochClaimer claimer) {
        super(claimer, ReplicationDecision.CONTROLLER);
    }

    @Override
    protected Controller<ReplicationState, TailWindow, ReplicationDecision, Policy> controller() {
        return new ReplicationLoop();
    }

    @Override
    protected ValueStateDescriptor<ReplicationState> descriptor() {
        return new ValueStateDescriptor<>("replication-state", StateFormats.REPLICATION.typeInfo());
    }

    @Override
    protected ReplicationState initial() {
        return ReplicationState.initial();
    }

    @Override
    protected MoverTurn lockAfter(MoverTurn before, Decision decision, Policy policy) {
        return ReplicationLoop.lockAfter(before, decision, policy);
    }

    @Override
    protected long periodMillis(Policy policy) {
        return policy.replication().map(ReplicationPolicy::periodMillis).orElse(0L);
    }

    @Override
    protected void registerMetrics(MetricGroup group) {
        metrics = new ReplicationMetrics(group);
    }

    @Override
    protected void count(ReplicationDecision decision) {
        metrics.decided(decision);
    }
}
