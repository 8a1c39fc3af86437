package io.kipimo.simulator.control;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.replication.Factors;
import io.kipimo.core.replication.Instructions;
import io.kipimo.core.replication.ReplicationReading;
import io.kipimo.core.replication.ReplicationReason;
import io.kipimo.core.replication.Replicator;
import io.kipimo.core.replication.ReplicatorState;
import io.kipimo.core.replication.TierReading;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.service.SimulatedService;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The product's replicator on the simulated service: tiers report, the replicator decides, the arbiters apply. Trials
 * run on live traffic and affect the service's users.
 */
public final class ReplicationPlane {
    /**
     * Factors that came into force.
     *
     * @param reason name of the decision's reason, which is a constant in core
     * @param utilisation utilisation of the busiest tier in the window of the decision, at these factors
     */
    public record FactorChange(double seconds, List<Integer> factors, String reason, double utilisation) {
        public FactorChange {
            factors = List.copyOf(factors);
        }
    }

    private static final long EPOCH = 1;
    private static final Replicator REPLICATOR = new Replicator();

    private final VirtualClock clock;
    private final ReplicationSpec spec;
    private final String service;
    private final List<String> tiers;
    private final List<FactorChange> changes = new ArrayList<>();
    private ReplicatorState state;
    private SimulatedService model;
    private double endedAtSeconds = Double.NaN;
    private double greatestUtilisation;
    private long vain;

    /** @param factors replication factors in force at the start */
    public ReplicationPlane(Engine engine, ReplicationSpec spec, String service, List<Integer> factors) {
        this.clock = new VirtualClock(engine);
        this.spec = spec;
        this.service = service;
        this.tiers = IntStream.rangeClosed(1, factors.size())
                .mapToObj(Integer::toString)
                .toList();
        this.state = ReplicatorState.resume(new Factors(factors));
    }

    /** Starts the reports of tiers and the decisions of the replicator. */
    public void start(SimulatedService newModel) {
        model = newModel;
        model.report();
        clock.after(spec.windowSeconds(), n -> window());
    }

    /** Factors that trials have confirmed. */
    public List<Integer> proven() {
        return state.search().current().values();
    }

    /** Number of live trials. */
    public long trials() {
        return state.trials();
    }

    /** When the search first ended, seconds; NaN if it has not. */
    public double endedAtSeconds() {
        return endedAtSeconds;
    }

    /** All changes of the factors in force. */
    public List<FactorChange> changes() {
        return List.copyOf(changes);
    }

    /** Highest utilisation of any tier under the factors in force. */
    public double greatestUtilisation() {
        return greatestUtilisation;
    }

    /** Number of decisions that found that copies do not help. */
    public long vain() {
        return vain;
    }

    private void window() {
        long end = clock.millis();
        long start = end - Math.round(spec.windowSeconds() * 1000);
        ReplicationReading reading = new ReplicationReading(start, end, model.takeReadings(spec.windowSeconds()));
        clock.after(spec.delaySeconds(), n -> decide(reading));
        clock.after(spec.windowSeconds(), n -> window());
    }

    private void decide(ReplicationReading reading) {
        Factors before = state.inForce();
        Step<ReplicatorState, ReplicationDecision> step = REPLICATOR.step(
                state,
                reading,
                new StepContext<>(
                        new Instructions(service, tiers, spec.settings()), MoverTurn.FREE, EPOCH, clock.millis()));
        state = step.next();
        vain += step.decision().filter(d -> d.reason().equals(ReplicationReason.COPIES_DO_NOT_HELP.name())).stream()
                .count();
        Factors after = state.inForce();
        double utilisation = utilisation(reading, before, after);
        greatestUtilisation = Math.max(greatestUtilisation, utilisation);
        double seconds = VirtualClock.seconds(clock.millis());
        if (state.ended() && Double.isNaN(endedAtSeconds)) {
            endedAtSeconds = seconds;
        }
        if (!after.equals(before)) {
            changes.add(new FactorChange(
                    seconds,
                    after.values(),
                    step.decision().map(ReplicationDecision::reason).orElse(""),
                    utilisation));
            model.setFactors(after.values());
        }
    }

    /** Predicts the utilisation of the busiest tier under some factors, from a window in which others were in force. */
    private static double utilisation(ReplicationReading reading, Factors seen, Factors factors) {
        return IntStream.range(0, factors.tiers())
                .mapToDouble(i -> {
                    TierReading tier = reading.tiers().get(i);
                    double requests = tier.requestsPerSecond() * factors.amplification(0, i) / seen.amplification(0, i);
                    return tier.servers().utilisation(requests * factors.at(i));
                })
                .max()
                .orElseThrow();
    }
}
