package io.kipimo.core.control;

import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.admission.AdmissionStep;
import io.kipimo.core.sampling.adaptive.SamplingLoop;
import io.kipimo.core.sampling.adaptive.SamplingMemory;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;

/**
 * A controller of one service: a step for every window of it, and a heartbeat every period, which
 * renews the leases and notices that measurements have stopped. Pure.
 *
 * @param <S> what it remembers from one to the next
 */
public interface Controller<S> {
    Controller<AdmissionState> ADMISSION = new Admission();
    Controller<SamplingMemory> SAMPLING = new Sampling();

    /** What was remembered afterwards, and what was decided; often nothing. */
    record Step<S>(S next, List<Decision> decisions) {}

    /** As its decisions say. */
    String name();

    S initial();

    /**
     * @param epoch of whoever runs it
     * @param nowMillis epoch milliseconds
     */
    Step<S> step(S state, Policy policy, QualityWindow window, long epoch, long nowMillis);

    /**
     * @param epoch of whoever runs it
     * @param nowMillis epoch milliseconds
     */
    Step<S> heartbeat(S state, Policy policy, long epoch, long nowMillis);

    /** Runs {@link AdmissionLoop}. */
    final class Admission implements Controller<AdmissionState> {
        private Admission() {}

        @Override
        public String name() {
            return Decision.ADMISSION;
        }

        @Override
        public AdmissionState initial() {
            return AdmissionState.initial();
        }

        @Override
        public Step<AdmissionState> step(
                AdmissionState state,
                Policy policy,
                QualityWindow window,
                long epoch,
                long nowMillis) {
            return of(AdmissionLoop.step(state, policy, window, epoch, nowMillis));
        }

        @Override
        public Step<AdmissionState> heartbeat(
                AdmissionState state, Policy policy, long epoch, long nowMillis) {
            return of(AdmissionLoop.heartbeat(state, policy, epoch, nowMillis));
        }

        private static Step<AdmissionState> of(AdmissionStep step) {
            return new Step<>(step.next(), step.decisions());
        }
    }

    /** Runs {@link SamplingLoop}. */
    final class Sampling implements Controller<SamplingMemory> {
        private Sampling() {}

        @Override
        public String name() {
            return Decision.SAMPLING;
        }

        @Override
        public SamplingMemory initial() {
            return SamplingMemory.initial();
        }

        @Override
        public Step<SamplingMemory> step(
                SamplingMemory memory,
                Policy policy,
                QualityWindow window,
                long epoch,
                long nowMillis) {
            return of(SamplingLoop.step(memory, policy, window, epoch, nowMillis));
        }

        @Override
        public Step<SamplingMemory> heartbeat(
                SamplingMemory memory, Policy policy, long epoch, long nowMillis) {
            return of(SamplingLoop.heartbeat(memory, policy, epoch, nowMillis));
        }

        private static Step<SamplingMemory> of(SamplingLoop.Step step) {
            return new Step<>(step.next(), step.decisions());
        }
    }
}
