package io.kipimo.core.sampling;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * State of the sampling loop of one service.
 *
 * @param loads newest load by class
 */
public record SamplingMemory(SamplingState controller, Map<String, ClassLoad> loads) {
    public static SamplingMemory initial() {
        return new SamplingMemory(SamplingState.initial(), Map.of());
    }

    SamplingMemory with(SamplingState latest) {
        return new SamplingMemory(latest, loads);
    }

    SamplingMemory with(String queryClass, ClassLoad load) {
        Map<String, ClassLoad> latest = new HashMap<>(loads);
        latest.put(queryClass, load);
        return new SamplingMemory(controller, latest);
    }

    /** The budget over all classes, since one rate applies to all of them. */
    SamplingBudget budget() {
        double leastAdmitted = 1;
        double late = 0;
        double answers = 0;
        for (ClassLoad load : loads.values()) {
            leastAdmitted = Math.min(leastAdmitted, load.admitted());
            late += load.lateWorkMicros();
            answers += load.answerWorkMicros();
        }
        return new SamplingBudget(
                leastAdmitted,
                OptionalDouble.empty(),
                answers > 0 ? OptionalDouble.of(late / answers) : OptionalDouble.empty());
    }
}
