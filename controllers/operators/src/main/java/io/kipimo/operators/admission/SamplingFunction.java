package io.kipimo.operators.admission;

import io.kipimo.core.sampling.adaptive.AdaptiveSampling;
import io.kipimo.core.sampling.adaptive.SamplingBudget;
import io.kipimo.core.sampling.adaptive.SamplingState;
import io.kipimo.core.sampling.adaptive.SamplingStep;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * Runs {@link AdaptiveSampling}, keyed by service; what is shed is read off the windows' unsampled
 * counts.
 */
public final class SamplingFunction extends ControlFunction<SamplingFunction.Memory> {
    private static final long serialVersionUID = 1L;

    /**
     * What is kept a service.
     *
     * @param admitted share of the offered queries that was admitted in the newest sliding window,
     *     by class
     */
    public record Memory(SamplingState sampling, Map<String, Double> admitted) {
        Memory with(SamplingState latest) {
            return new Memory(latest, admitted);
        }
    }

    public SamplingFunction(EpochClaimer claimer) {
        super(claimer, Decision.SAMPLING);
    }

    @Override
    ValueStateDescriptor<Memory> descriptor() {
        return new ValueStateDescriptor<>("sampling-state", TypeInformation.of(Memory.class));
    }

    @Override
    Memory initial() {
        return new Memory(SamplingState.initial(), Map.of());
    }

    @Override
    Step<Memory> step(
            Memory memory, Policy policy, QualityWindow window, long epoch, long nowMillis) {
        Memory latest = memory;
        if (window.kind() == WindowKind.SLIDING
                && window.offered() > 0
                && policy.classPolicy(window.queryClass()).isPresent()) {
            Map<String, Double> admitted = new HashMap<>(memory.admitted());
            admitted.put(window.queryClass(), 1 - (double) window.rejected() / window.offered());
            latest = new Memory(memory.sampling(), admitted);
        }
        double least = latest.admitted().values().stream().mapToDouble(v -> v).min().orElse(1);
        return of(
                latest,
                AdaptiveSampling.step(
                        latest.sampling(),
                        policy,
                        window,
                        new SamplingBudget(least, OptionalDouble.empty()),
                        epoch,
                        nowMillis));
    }

    @Override
    Step<Memory> heartbeat(Memory memory, Policy policy, long epoch, long nowMillis) {
        return of(memory, AdaptiveSampling.heartbeat(memory.sampling(), policy, epoch, nowMillis));
    }

    private static Step<Memory> of(Memory memory, SamplingStep step) {
        return new Step<>(memory.with(step.next()), step.decision().stream().toList());
    }
}
