package io.kipimo.operators.admission;

import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.admission.AdmissionStep;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Runs {@link AdmissionLoop}, keyed by service. */
public final class AdmissionFunction extends ControlFunction<AdmissionState> {
    private static final long serialVersionUID = 1L;

    public AdmissionFunction(EpochClaimer claimer) {
        super(claimer, Decision.ADMISSION);
    }

    @Override
    ValueStateDescriptor<AdmissionState> descriptor() {
        return new ValueStateDescriptor<>(
                "admission-state", TypeInformation.of(AdmissionState.class));
    }

    @Override
    AdmissionState initial() {
        return AdmissionState.initial();
    }

    @Override
    Step<AdmissionState> step(
            AdmissionState state, Policy policy, QualityWindow window, long epoch, long nowMillis) {
        return of(AdmissionLoop.step(state, policy, window, epoch, nowMillis));
    }

    @Override
    Step<AdmissionState> heartbeat(
            AdmissionState state, Policy policy, long epoch, long nowMillis) {
        return of(AdmissionLoop.heartbeat(state, policy, epoch, nowMillis));
    }

    private static Step<AdmissionState> of(AdmissionStep step) {
        return new Step<>(step.next(), step.decisions());
    }
}
