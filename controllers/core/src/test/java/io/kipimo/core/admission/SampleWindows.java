package io.kipimo.core.admission;

import io.kipimo.core.control.StepContext;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.List;
import java.util.Optional;

/** Policies and windows that the tests of the controllers start from. */
public final class SampleWindows {
    public static final long START = 1_700_000_000_000L;
    public static final long PERIOD = 10_000;
    public static final double OBJECTIVE = 0.9;

    private SampleWindows() {}

    /** A step of the first epoch, the lock being free. */
    public static StepContext<Policy> at(Policy policy, long nowMillis) {
        return at(policy, 1, nowMillis);
    }

    public static StepContext<Policy> at(Policy policy, long epoch, long nowMillis) {
        return new StepContext<>(policy, MoverTurn.FREE, epoch, nowMillis);
    }

    public static ClassPolicy high() {
        return new ClassPolicy("high", 0, OBJECTIVE, 1, 1, 1, Optional.empty());
    }

    public static ClassPolicy low(String name, int priority) {
        return new ClassPolicy(name, priority, OBJECTIVE, 0.5, 0.05, 1, Optional.empty());
    }

    public static AdmissionPolicy admission(ControllerKind kind, Signal signal) {
        AdmissionPolicy d = AdmissionPolicy.DEFAULT;
        return new AdmissionPolicy(
                kind,
                signal,
                false,
                d.kp(),
                d.ki(),
                d.kd(),
                d.currentWeight(),
                d.timeOutObjective(),
                d.batchQueries(),
                d.periodMillis(),
                d.minimumSamples(),
                d.minimumRatePerSecond(),
                d.deadBand(),
                d.slewUp(),
                d.slewDown(),
                d.staleAfterPeriods(),
                d.leaseMillis(),
                d.decayMillis());
    }

    public static AdmissionPolicy pid() {
        return admission(ControllerKind.PID, Signal.QUALITY);
    }

    public static AdmissionPolicy gains(AdmissionPolicy a, double kp, double ki, double kd) {
        return new AdmissionPolicy(
                a.controller(),
                a.signal(),
                a.shadow(),
                kp,
                ki,
                kd,
                a.currentWeight(),
                a.timeOutObjective(),
                a.batchQueries(),
                a.periodMillis(),
                a.minimumSamples(),
                a.minimumRatePerSecond(),
                a.deadBand(),
                a.slewUp(),
                a.slewDown(),
                a.staleAfterPeriods(),
                a.leaseMillis(),
                a.decayMillis());
    }

    public static AdmissionPolicy shadow(AdmissionPolicy a) {
        return new AdmissionPolicy(
                a.controller(),
                a.signal(),
                true,
                a.kp(),
                a.ki(),
                a.kd(),
                a.currentWeight(),
                a.timeOutObjective(),
                a.batchQueries(),
                a.periodMillis(),
                a.minimumSamples(),
                a.minimumRatePerSecond(),
                a.deadBand(),
                a.slewUp(),
                a.slewDown(),
                a.staleAfterPeriods(),
                a.leaseMillis(),
                a.decayMillis());
    }

    public static Policy policy(AdmissionPolicy admission, long windowMillis) {
        return policy(admission, windowMillis, List.of(high(), low("low", 1)), false);
    }

    public static Policy policy(
            AdmissionPolicy admission,
            long windowMillis,
            List<ClassPolicy> classes,
            boolean killSwitch) {
        return new Policy(
                "search",
                7,
                List.of("tpr@20"),
                MergePolicy.TOP_K,
                20,
                2_000,
                windowMillis,
                PERIOD,
                classes,
                admission,
                SamplingPolicy.DEFAULT,
                killSwitch);
    }

    /** A batch of 100 queries, 30 samples, of that quality, with the interval 0.01 either way. */
    public static QualityWindow batch(double quality, long endMillis) {
        return batch(endMillis, around(quality), around(quality), 100, 20, 30, 0);
    }

    public static Optional<Estimate> around(double quality) {
        return Optional.of(
                new Estimate(Math.max(0, quality - 0.01), quality, Math.min(1, quality + 0.01)));
    }

    public static QualityWindow batch(
            long endMillis,
            Optional<Estimate> estimate,
            Optional<Estimate> averaged,
            long answered,
            long timedOut,
            int samples,
            int expired) {
        return window(
                WindowKind.BATCH,
                endMillis,
                estimate,
                averaged,
                answered,
                timedOut,
                samples,
                expired,
                samples,
                Optional.of(0.4));
    }

    public static QualityWindow window(
            WindowKind kind,
            long endMillis,
            Optional<Estimate> estimate,
            Optional<Estimate> averaged,
            long answered,
            long timedOut,
            int samples,
            int expired,
            int averagedSamples,
            Optional<Double> lossPerTimeOut) {
        return new QualityWindow(
                "search",
                "high",
                "tpr@20",
                kind,
                endMillis - PERIOD,
                endMillis,
                answered,
                0,
                answered,
                timedOut,
                samples,
                samples,
                expired,
                0,
                estimate,
                averaged,
                averagedSamples,
                0.9,
                0.1,
                0.5,
                0.9,
                0.1,
                0.3,
                OBJECTIVE,
                List.of(),
                0,
                90,
                lossPerTimeOut,
                MeasurementBill.NOTHING);
    }
}
