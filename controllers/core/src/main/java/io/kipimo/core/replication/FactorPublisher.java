package io.kipimo.core.replication;

import io.kipimo.core.control.Step;
import io.kipimo.core.control.StepContext;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.decision.DecisionMode;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Makes the decision of a step from its outcome. */
final class FactorPublisher {
    /**
     * Above this coefficient of variation of demands, copies mostly repeat the dearest requests.
     */
    private static final double UNEVEN_COSTS = 3;

    private FactorPublisher() {}

    /**
     * The state after publication, and the decision.
     *
     * @param previous factors in force before the step
     * @param window of the step; empty: a heartbeat, or a window that was not used
     */
    static Step<ReplicatorState, FactorDecision> publish(
            FactorOutcome outcome,
            Factors previous,
            Optional<ReplicationReading> window,
            StepContext<Instructions> context) {
        Instructions instructions = context.policy();
        ReplicationSettings settings = instructions.settings();
        ReplicatorState state = outcome.state();
        long nowMillis = context.nowMillis();
        long sequence = state.epoch() == context.epoch() ? state.sequence() + 1 : 1;
        Optional<LatencySketch> newest = window.map(w -> w.tiers().get(0).requestLatency());
        return Step.of(
                state.published(context.epoch(), sequence, nowMillis),
                FactorDecisionBuilder.builder()
                        .scope(instructions.service())
                        .epoch(context.epoch())
                        .sequence(sequence)
                        .issuedAtMillis(nowMillis)
                        .asOfMillis(state.lastWindowMillis())
                        .validUntilMillis(nowMillis + settings.leaseMillis())
                        .factors(outcome.factors())
                        .previous(previous)
                        .fallback(
                                outcome.mode() == DecisionMode.SHADOW
                                        ? state.inForce()
                                        : state.search().current())
                        .mode(outcome.mode())
                        .reason(outcome.reason())
                        .requests(newest.map(LatencySketch::count).orElse(0L))
                        .measuredMicros(newest.map(settings.target()::micros).orElse(0.0))
                        .objectiveMicros(settings.objectiveMicros())
                        .evidence(outcome.evidence())
                        .violations(outcome.violations())
                        .refusedByModel(outcome.refusedByModel())
                        .unevenCosts(window.map(FactorPublisher::unevenCosts).orElse(List.of()))
                        .configVersion(instructions.configVersion())
                        .build());
    }

    private static List<Integer> unevenCosts(ReplicationReading window) {
        return IntStream.range(0, window.tiers().size())
                .filter(tier -> window.tiers().get(tier).demandVariation() > UNEVEN_COSTS)
                .boxed()
                .toList();
    }
}
