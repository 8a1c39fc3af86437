package io.kipimo.core.admission;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.List;
import java.util.Optional;

/** Policies and windows for the tests of controllers. */
public final class SampleWindows {
    public static final long START = 1_700_000_000_000L;
    public static final long PERIOD = 10_000;
    public static final double OBJECTIVE = 0.9;

    private SampleWindows() {}

    /** The state of a loop whose lower class is at its safe fraction. */
    static AdmissionState safely() {
        return AdmissionLoop.learn(AdmissionState.initial(), "low", 0.5, START);
    }

    /** A step of the first epoch with a free lock. */
    public static StepContext<Policy> at(Policy policy, long nowMillis) {
        return at(policy, 1, nowMillis);
    }

    public static StepContext<Policy> at(Policy policy, long epoch, long nowMillis) {
        return new StepContext<>(policy, MoverTurn.FREE, epoch, nowMillis);
    }

    public static ClassPolicy high() {
        return ClassPolicy.builder()
                .name("high")
                .priority(0)
                .objective(OBJECTIVE)
                .floor(1)
                .build();
    }

    public static ClassPolicy low(String name, int priority) {
        return ClassPolicy.builder()
                .name(name)
                .priority(priority)
                .objective(OBJECTIVE)
                .safeFraction(0.5)
                .build();
    }

    public static AdmissionPolicy admission(ControllerKind kind, Signal signal) {
        AdmissionPolicy d = AdmissionPolicy.DEFAULT;
        return d.toBuilder().controller(kind).signal(signal).shadow(false).build();
    }

    public static AdmissionPolicy pid() {
        return admission(ControllerKind.PID, Signal.QUALITY);
    }

    public static AdmissionPolicy gains(AdmissionPolicy a, double kp, double ki, double kd) {
        return a.toBuilder().kp(kp).ki(ki).kd(kd).build();
    }

    public static AdmissionPolicy shadow(AdmissionPolicy a) {
        return a.toBuilder().shadow(true).build();
    }

    public static Policy policy(AdmissionPolicy admission, long windowMillis) {
        return policy(admission, windowMillis, List.of(high(), low("low", 1)), false);
    }

    public static Policy policy(
            AdmissionPolicy admission, long windowMillis, List<ClassPolicy> classes, boolean killSwitch) {
        return Policy.builder()
                .service("search")
                .version(7)
                .metrics(List.of("tpr@20"))
                .expirationWindowMillis(2_000)
                .windowMillis(windowMillis)
                .slideMillis(PERIOD)
                .classes(classes)
                .admission(admission)
                .killSwitch(killSwitch)
                .build();
    }

    /** A batch of 100 queries and 30 samples with this quality and a half-width of 0.01. */
    public static QualityWindow batch(double quality, long endMillis) {
        return batch(endMillis, around(quality), around(quality), 100, 20, 30, 0);
    }

    public static Optional<Estimate> around(double quality) {
        return Optional.of(new Estimate(Math.max(0, quality - 0.01), quality, Math.min(1, quality + 0.01)));
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
        return QualityWindow.builder()
                .service("search")
                .queryClass("high")
                .metric("tpr@20")
                .kind(kind)
                .startMillis(endMillis - PERIOD)
                .endMillis(endMillis)
                .offered(answered)
                .answered(answered)
                .timedOut(timedOut)
                .samples(samples)
                .degradedSamples(samples)
                .expired(expired)
                .estimate(estimate)
                .averaged(averaged)
                .averagedSamples(averagedSamples)
                .objective(OBJECTIVE)
                .lossPerTimeOut(lossPerTimeOut)
                .build();
    }
}
