package io.kipimo.examples.demo;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.policy.Signal;
import java.util.List;
import java.util.Optional;

/** The ways of sharing a service between its classes that the demo compares (Ubora, fig. 11). */
enum WayOfControl {
    NO_SHARING("no sharing", "the low class is shut out", ControllerKind.PID, Signal.QUALITY),
    FULL_SHARING(
            "full sharing", "everything is admitted", ControllerKind.NO_CONTROL, Signal.QUALITY),
    TIME_OUT_GUIDED(
            "timeout-guided",
            "PID on the share of time-outs",
            ControllerKind.PID,
            Signal.TIME_OUTS),
    QUALITY_GUIDED(
            "quality-guided",
            "PID on the measured answer quality",
            ControllerKind.PID,
            Signal.QUALITY);

    static final String HIGH = "high";
    static final String LOW = "low";

    /** Admitted fraction that every controlled run starts from. */
    private static final double START_FRACTION = 0.5;

    private final String title;
    private final String meaning;
    private final ControllerKind controller;
    private final Signal signal;

    WayOfControl(String title, String meaning, ControllerKind controller, Signal signal) {
        this.title = title;
        this.meaning = meaning;
        this.controller = controller;
        this.signal = signal;
    }

    String title() {
        return title;
    }

    String meaning() {
        return meaning;
    }

    /** Admitted fraction of the low class that the run starts from. */
    double startFraction() {
        return switch (this) {
            case NO_SHARING -> 0;
            case FULL_SHARING -> 1;
            case TIME_OUT_GUIDED, QUALITY_GUIDED -> START_FRACTION;
        };
    }

    /** What is in force before the run starts: the low class at a known fraction, by hand. */
    Policy prepared(String service, DemoSettings settings) {
        return policy(
                service,
                settings,
                Optional.of(new ManualOverride(startFraction(), 0, "demo", "start of " + title)));
    }

    /** What is in force during the run. */
    Policy running(String service, DemoSettings settings) {
        return this == NO_SHARING
                ? prepared(service, settings)
                : policy(service, settings, Optional.empty());
    }

    private Policy policy(
            String service, DemoSettings settings, Optional<ManualOverride> override) {
        return new Policy(
                service,
                0,
                List.of("tpr@20", "ndcg@20"),
                MergePolicy.TOP_K,
                20,
                settings.expirationWindowMillis(),
                settings.windowMillis(),
                1_000,
                List.of(
                        new ClassPolicy(HIGH, 0, settings.objective(), 1, 1, 1, Optional.empty()),
                        new ClassPolicy(LOW, 1, 0, 0.2, 0.02, 1, override)),
                new AdmissionPolicy(
                        controller,
                        signal,
                        false,
                        settings.kp(),
                        settings.ki(),
                        0,
                        0.4,
                        settings.timeOutObjective(),
                        100,
                        settings.periodMillis(),
                        20,
                        1,
                        0.005,
                        0.1,
                        0.5,
                        5,
                        10_000,
                        5_000),
                new SamplingPolicy(0.005, 1, 0.02, settings.samplingRate(), 0.05),
                false);
    }
}
