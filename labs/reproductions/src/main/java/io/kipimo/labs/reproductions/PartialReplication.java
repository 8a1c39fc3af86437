package io.kipimo.labs.reproductions;

import io.kipimo.core.replication.Factors;
import io.kipimo.core.replication.FeasibilityLimits;
import io.kipimo.core.replication.FeasibleSet;
import io.kipimo.core.replication.ReplicationSettings;
import io.kipimo.core.replication.ReplicationSettingsBuilder;
import io.kipimo.core.replication.TargetMetric;
import io.kipimo.core.replication.TierLoad;
import io.kipimo.core.tails.ServerCapacity;
import io.kipimo.simulator.control.ReplicationSpec;
import io.kipimo.simulator.scenario.Latencies;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.Simulation;
import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.service.TierSpec;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.QueryKindMix;
import io.kipimo.simulator.workload.RateCurve;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A service of two tiers under one of sPARE's interference patterns. It runs without replication, under fixed factors,
 * and under the product's replicator.
 */
final class PartialReplication {
    /** Largest factor in a search over all factors. */
    private static final int LARGEST_FACTOR = 3;

    /** The paper's bound P_max. Copies are bounded only by stability, with some reserve. */
    private static final FeasibilityLimits LIMITS = new FeasibilityLimits(0.5, 0.8, 1);

    private static final double LIVE_SECONDS = 3600;

    private PartialReplication() {}

    /**
     * The service under a load and under neighbours that disturb some of its tiers.
     *
     * @param pattern disturbed tiers, 1: tier 2, 2: both, 3: tier 1
     */
    static Scenario scenario(Scenario base, int pattern, double perSecond) {
        ServiceSpec service = base.service();
        List<TierSpec> tiers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            boolean suffers = pattern == 2 || pattern == (i == 0 ? 3 : 1);
            TierSpec tier = service.tiers().get(i);
            tiers.add(suffers ? tier : tier.withInterference(Optional.empty()));
        }
        return base.withService(service.withTiers(tiers)
                .withClasses(List.of(new ClassArrivals(
                        service.classes().get(0).name(),
                        new Arrivals.Poisson(new RateCurve.ConstantRate(perSecond)),
                        QueryKindMix.SINGLE))));
    }

    /** The scenario with round-robin arbitration instead of tokens. */
    static Scenario inTurn(Scenario scenario) {
        ServiceSpec service = scenario.service();
        return scenario.withService(service.withTiers(service.tiers().stream()
                .map(t -> t.withArbitration(TierSpec.Arbitration.IN_TURN))
                .toList()));
    }

    static SimulationResult run(Scenario scenario, Factors factors) {
        return Simulation.run(scenario.withService(scenario.service().withFactors(factors.at(0), factors.at(1))));
    }

    /**
     * Settings of the replicator that suit the papers' experiments. Copies may use all free capacity. The neighbours
     * change constantly here, and are not taken for drift.
     */
    static ReplicationSettings papers(TargetMetric target) {
        return ReplicationSettingsBuilder.builder(defaults(target))
                .limits(LIMITS)
                .variabilityChange(10)
                .build();
    }

    /** The default settings, with the paper's target and without a service level to keep. */
    static ReplicationSettings defaults(TargetMetric target) {
        return ReplicationSettingsBuilder.builder(ReplicationSettings.DEFAULT)
                .target(target)
                .objectiveMicros(0)
                .build();
    }

    /** A sentence on the settings in which an experiment differs from the defaults, regardless of its target. */
    static String difference() {
        return Defaults.difference(ReplicationSettings.DEFAULT, papers(ReplicationSettings.DEFAULT.target()));
    }

    /** Runs the product's replicator on live traffic, starting without replication. */
    static SimulationResult live(Scenario scenario, ReplicationSettings settings) {
        return Simulation.run(scenario.withSeconds(LIVE_SECONDS)
                .withReplication(Optional.of(new ReplicationSpec(settings, 10, 0.2))));
    }

    /** The results of every feasible vector of factors. */
    static Map<Factors, SimulationResult> all(Scenario scenario) {
        FeasibleSet feasible = feasible(scenario.service());
        List<Factors> points = new ArrayList<>();
        for (int first = 1; first <= LARGEST_FACTOR; first++) {
            for (int second = 1; second <= LARGEST_FACTOR; second++) {
                Factors factors = Factors.of(first, second);
                if (factors.isOnes() || feasible.contains(factors)) {
                    points.add(factors);
                }
            }
        }
        return points.parallelStream()
                .map(factors -> Map.entry(factors, run(scenario, factors)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, LinkedHashMap::new));
    }

    /** Work of the copies that factors cause, as a share of the capacity of all tiers. */
    static double extraLoad(Scenario scenario, Factors factors) {
        return feasible(scenario.service()).extraLoad(factors);
    }

    /** The factors that are feasible at the mean capacity under neighbours. */
    private static FeasibleSet feasible(ServiceSpec service) {
        List<TierLoad> loads = new ArrayList<>();
        double requests =
                ((Arrivals.Poisson) service.classes().get(0).arrivals()).rate().maximum();
        for (TierSpec tier : service.tiers()) {
            double speed =
                    tier.interference().map(PartialReplication::meanSpeed).orElse(1.0);
            loads.add(new TierLoad(
                    new ServerCapacity(
                            tier.serversPerPartition(),
                            tier.cores(),
                            tier.demand().mean() * 1e6 / speed),
                    Optional.empty(),
                    requests,
                    requests));
            requests *= tier.callsPerRequest();
        }
        return new FeasibleSet(loads, LIMITS);
    }

    /**
     * Mean speed of a server. Episodes of disturbance are an M/G/infinity queue: a server is undisturbed for a share
     * exp(-length / interval) of the time.
     */
    private static double meanSpeed(TierSpec.Disturbance i) {
        double free = Math.exp(-i.meanLengthSeconds() / i.meanIntervalSeconds());
        return free + (1 - free) * i.speed();
    }

    /** The target metric of a result, in seconds. */
    static double of(TargetMetric target, SimulationResult result) {
        Latencies latencies = result.classes().get(0).latencies();
        return switch (target) {
            case MEAN -> latencies.mean();
            case P95 -> latencies.p95();
            case P99 -> latencies.p99();
        };
    }
}
