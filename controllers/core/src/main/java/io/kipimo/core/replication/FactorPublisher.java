package io.kipimo.core.replication;

import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.BrokenConstraint;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Makes the decision that a step publishes from the step's {@link FactorOutcome}. */
final class FactorPublisher {
    /** Above this coefficient of variation of demands, copies mostly repeat the dearest requests. */
    private static final double UNEVEN_COSTS = 3;

    /** The message rejects larger figures. */
    private static final double LARGEST_FIGURE = 1e12;

    private FactorPublisher() {}

    /**
     * The state after publication, and the decision.
     *
     * @param previous factors in force before the step
     * @param window window that the step used; empty: the step was a heartbeat, or it did not use its window
     */
    static Step<ReplicatorState, ReplicationDecision> publish(
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
        List<String> tiers = instructions.tiers();
        return Step.of(
                state.published(context.epoch(), sequence, nowMillis),
                ReplicationDecisionBuilder.builder()
                        .service(instructions.service())
                        .epoch(context.epoch())
                        .sequence(sequence)
                        .issuedAtMillis(nowMillis)
                        .asOfMillis(state.lastWindowMillis())
                        .validUntilMillis(nowMillis + settings.leaseMillis())
                        .tiers(factors(outcome, previous, window, tiers))
                        .mode(outcome.mode())
                        .reason(outcome.reason().name())
                        .inTrial(state.isMoving())
                        .requests(newest.map(LatencySketch::count).orElse(0L))
                        .measuredMicros(newest.map(settings.target()::micros).orElse(0.0))
                        .objectiveMicros(settings.objectiveMicros())
                        .evidence(outcome.evidence())
                        .broken(outcome.violations().stream()
                                .map(v -> broken(v, tiers))
                                .toList())
                        .configVersion(instructions.configVersion())
                        .build());
    }

    private static List<TierFactor> factors(
            FactorOutcome outcome, Factors previous, Optional<ReplicationReading> window, List<String> tiers) {
        // They differ from the factors to apply only in a trial.
        Factors fallback = outcome.mode() == DecisionMode.SHADOW
                ? outcome.state().inForce()
                : outcome.state().search().current();
        List<Integer> uneven = window.map(FactorPublisher::unevenCosts).orElse(List.of());
        return IntStream.range(0, outcome.factors().tiers())
                .mapToObj(i -> new TierFactor(
                        tiers.get(i),
                        outcome.factors().at(i),
                        previous.at(i),
                        fallback.at(i),
                        outcome.refusedByModel().contains(i),
                        uneven.contains(i)))
                .toList();
    }

    private static BrokenConstraint broken(ConstraintViolation violation, List<String> tiers) {
        return new BrokenConstraint(
                violation.constraint().name(),
                tiers.get(violation.tierIndex()),
                Math.min(LARGEST_FIGURE, violation.value()),
                Math.min(LARGEST_FIGURE, violation.allowed()));
    }

    private static List<Integer> unevenCosts(ReplicationReading window) {
        return IntStream.range(0, window.tiers().size())
                .filter(tier -> window.tiers().get(tier).demandVariation() > UNEVEN_COSTS)
                .boxed()
                .toList();
    }
}
