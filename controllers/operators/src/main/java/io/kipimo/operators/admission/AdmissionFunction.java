package io.kipimo.operators.admission;

import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.guard.Controller;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.operators.control.ControlFunction;
import io.kipimo.operators.control.EpochClaimer;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.replication.ReplicationDecision;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.MetricGroup;

/** Runs {@link AdmissionLoop}, keyed by service. Replication's trials hold the actuation lock. */
public final class AdmissionFunction
        extends ControlFunction<QualityWindow, ReplicationDecision, Decision, AdmissionState> {
    private static final long serialVersionUID = 1L;

    private transient ControlMetrics metrics;

    public AdmissionFunction(EpochClaimer claimer) {
        super(claimer, Decision.ADMISSION);
    }

    @Override
    protected Controller<AdmissionState, QualityWindow, Decision, Policy> controller() {
        return new AdmissionLoop();
    }

    @Override
    protected ValueStateDescriptor<AdmissionState> descriptor() {
        return new ValueStateDescriptor<>("admission-state", StateFormats.ADMISSION.typeInfo());
    }

    @Override
    protected AdmissionState initial() {
        return AdmissionState.initial();
    }

    @Override
    protected MoverTurn lockAfter(MoverTurn before, ReplicationDecision decision, Policy policy) {
        return AdmissionLoop.lockAfter(before, decision);
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
