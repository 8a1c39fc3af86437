package io.kipimo.operators.admission;

import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.admission.AdmissionStep;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.operators.control.ControlFunction;
import io.kipimo.operators.control.EpochClaimer;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.replication.ReplicationDecision;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.MetricGroup;

/** Runs {@link AdmissionLoop}, keyed by service; replication's trials have their turn. */
public final class AdmissionFunction
        extends ControlFunction<QualityWindow, ReplicationDecision, Decision, AdmissionState> {
    private static final long serialVersionUID = 1L;

    private transient ControlMetrics metrics;

    public AdmissionFunction(EpochClaimer claimer) {
        super(claimer, Decision.ADMISSION);
    }

    @Override
    protected ValueStateDescriptor<AdmissionState> descriptor() {
        return new ValueStateDescriptor<>(
                "admission-state", TypeInformation.of(AdmissionState.class));
    }

    @Override
    protected AdmissionState initial() {
        return AdmissionState.initial();
    }

    @Override
    protected Step<AdmissionState, Decision> step(
            AdmissionState state, QualityWindow window, Moment moment) {
        return of(
                AdmissionLoop.step(
                        state,
                        moment.policy(),
                        window,
                        moment.turn(),
                        moment.epoch(),
                        moment.nowMillis()));
    }

    @Override
    protected Step<AdmissionState, Decision> heartbeat(AdmissionState state, Moment moment) {
        return of(
                AdmissionLoop.heartbeat(
                        state, moment.policy(), moment.epoch(), moment.nowMillis()));
    }

    @Override
    protected MoverTurn hear(MoverTurn before, ReplicationDecision decision, Policy policy) {
        return AdmissionLoop.hear(before, decision);
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

    private static Step<AdmissionState, Decision> of(AdmissionStep step) {
        return new Step<>(step.next(), step.decisions());
    }
}
