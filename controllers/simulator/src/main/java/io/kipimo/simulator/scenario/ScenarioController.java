package io.kipimo.simulator.scenario;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.simulator.control.ControlSpec;
import java.util.Optional;

/** Controllers of a scenario, to compare (Ubora, fig. 11). */
public enum ScenarioController {
    /** The lower classes are rejected. */
    NO_SHARING,
    /** Everything is admitted. */
    FULL_SHARING,
    /** PID on answer quality. */
    QUALITY,
    /** PID on the share of queries with a time-out. */
    TIME_OUTS,
    /** PID on time-outs, whose set point the quality corrects. */
    CASCADE,
    /** PID on answer quality; the lower classes' costliest queries are shed first. */
    COST,
    /** PID on answer quality; queries ask fewer components, as the policy's fan_out says. */
    TRIM,
    /** As {@link #TRIM}, and the lower classes' costliest queries are shed first. */
    TRIM_COST,
    /** Additive increase, multiplicative decrease on answer quality. */
    AIMD;

    /** Greatest share of a cost decile that may be shed, so a tenth of each is always admitted. */
    private static final double COST_ORDER = 0.9;

    /**
     * Returns the control of a scenario under this controller. With all controllers but the two that trim, queries ask
     * all components.
     */
    public ControlSpec in(ControlSpec all) {
        ControlSpec spec = this == TRIM || this == TRIM_COST ? all : askingAll(all);
        return switch (this) {
            case NO_SHARING -> with(spec, ControllerKind.PID, Signal.QUALITY).withAdmitsLower(false);
            case FULL_SHARING -> with(spec, ControllerKind.NO_CONTROL, Signal.QUALITY);
            case QUALITY, TRIM -> with(spec, ControllerKind.PID, Signal.QUALITY);
            case TIME_OUTS -> with(spec, ControllerKind.PID, Signal.TIME_OUTS);
            case CASCADE -> with(spec, ControllerKind.PID, Signal.CASCADE);
            case COST, TRIM_COST -> costliestFirst(with(spec, ControllerKind.PID, Signal.QUALITY));
            case AIMD -> with(spec, ControllerKind.AIMD, Signal.QUALITY);
        };
    }

    private static ControlSpec askingAll(ControlSpec spec) {
        return spec.withPolicy(
                spec.policy().toBuilder().fanOut(Optional.empty()).build());
    }

    /** The specification with the lower classes' costliest queries shed first. */
    public static ControlSpec costliestFirst(ControlSpec spec) {
        Policy policy = spec.policy();
        return spec.withPolicy(policy.toBuilder()
                .classes(policy.classes().stream()
                        .map(c -> c.toBuilder().costOrder(COST_ORDER).build())
                        .toList())
                .build());
    }

    private static ControlSpec with(ControlSpec spec, ControllerKind kind, Signal signal) {
        AdmissionPolicy a = spec.policy().admission();
        return spec.withAdmitsLower(true)
                .withPolicy(spec.policy()
                        .withAdmission(a.toBuilder()
                                .controller(kind)
                                .signal(signal)
                                .shadow(false)
                                .build()));
    }
}
