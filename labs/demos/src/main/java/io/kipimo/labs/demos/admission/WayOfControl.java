package io.kipimo.labs.demos.admission;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.policy.Signal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The ways of sharing a service between its classes that the demo compares (Ubora, fig. 11). */
enum WayOfControl {
    NO_SHARING("no sharing", "the low class is shut out", ControllerKind.PID, Signal.QUALITY),
    FULL_SHARING("full sharing", "everything is admitted", ControllerKind.NO_CONTROL, Signal.QUALITY),
    TIME_OUT_GUIDED("timeout-guided", "PID on the share of time-outs", ControllerKind.PID, Signal.TIME_OUTS),
    QUALITY_GUIDED("quality-guided", "PID on the measured answer quality", ControllerKind.PID, Signal.QUALITY),
    COSTLIEST_FIRST(
            "Kipimo, costliest first",
            "PID on the measured answer quality; the low class's costliest queries are shed first",
            ControllerKind.PID,
            Signal.QUALITY);

    /** The ways that a demo compares by default: control by time-outs, and Kipimo's. */
    static final List<WayOfControl> RIVALS = List.of(TIME_OUT_GUIDED, COSTLIEST_FIRST);

    /**
     * The ways that a demo of an engine compares. With an engine whose limit is all or nothing, control by quality and
     * by time-outs give much the same, so full sharing is the rival. The later run has the warmer engine, so the rival
     * gets it.
     */
    static final List<WayOfControl> ENGINE = List.of(QUALITY_GUIDED, FULL_SHARING);

    static final String HIGH = "high";
    static final String LOW = "low";

    private static final int LEAST_SAMPLES = 5;

    /** Greatest share of a decile of costs that is shed in favour of cheaper queries. */
    private static final double COST_ORDER = 0.9;

    /** Initial admitted fraction of every controlled run. */
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

    /** Admitted fraction of the low class at the start of a run. */
    double startFraction() {
        return switch (this) {
            case NO_SHARING -> 0;
            case FULL_SHARING -> 1;
            case TIME_OUT_GUIDED, QUALITY_GUIDED, COSTLIEST_FIRST -> START_FRACTION;
        };
    }

    /** Policy before the run. Its override sets the low class to a known fraction. */
    Policy prepared(String service, DemoSettings settings) {
        return policy(
                service, settings, Optional.of(new ManualOverride(startFraction(), 0, "demo", "start of " + title)));
    }

    /** Policy during the run. */
    Policy running(String service, DemoSettings settings) {
        return this == NO_SHARING ? prepared(service, settings) : policy(service, settings, Optional.empty());
    }

    private Policy policy(String service, DemoSettings settings, Optional<ManualOverride> override) {
        return Policy.builder()
                .service(service)
                .version(0)
                .metrics(List.of("tpr@" + settings.topK(), "ndcg@" + settings.topK()))
                .topK(settings.topK())
                .merge(new MergePolicy(settings.merge(), List.of(), Map.of()))
                .expirationWindowMillis(settings.expirationWindowMillis())
                .windowMillis(settings.windowMillis())
                .slideMillis(1_000)
                .classes(List.of(
                        ClassPolicy.builder()
                                .name(HIGH)
                                .priority(0)
                                .objective(settings.objective())
                                .floor(1)
                                .build(),
                        ClassPolicy.builder()
                                .name(LOW)
                                .priority(1)
                                .objective(0)
                                .safeFraction(0.2)
                                .floor(0.02)
                                .costOrder(this == COSTLIEST_FIRST ? COST_ORDER : 0)
                                .override(override)
                                .build()))
                .admission(AdmissionPolicy.builder()
                        .controller(controller)
                        .signal(signal)
                        .shadow(false)
                        .kp(settings.kp())
                        .ki(settings.ki())
                        .timeOutObjective(settings.timeOutObjective())
                        .periodMillis(settings.periodMillis())
                        .minimumRatePerSecond(1)
                        // A window has few measurements on a slow machine; how few is in its interval.
                        .minimumSamples(LEAST_SAMPLES)
                        .deadBand(0.005)
                        .staleAfterPeriods(5)
                        .leaseMillis(10_000)
                        .decayMillis(5_000)
                        .build())
                .sampling(SamplingPolicy.builder()
                        .maximumRate(1)
                        .fixedRate(settings.samplingRate())
                        .build())
                .build();
    }
}
