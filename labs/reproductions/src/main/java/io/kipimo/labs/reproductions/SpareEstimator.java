package io.kipimo.labs.reproductions;

import io.kipimo.core.tails.TailScope;
import io.kipimo.core.tails.TailStatistics;
import io.kipimo.schemas.tails.LatencyStatistics;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.faults.FaultPlan;
import io.kipimo.simulator.report.Phrase;
import io.kipimo.simulator.service.Discipline;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.service.ServiceSpecBuilder;
import io.kipimo.simulator.service.SimulatedService;
import io.kipimo.simulator.service.TierSpec;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.Distribution;
import io.kipimo.simulator.workload.QueryKind;
import io.kipimo.simulator.workload.QueryKindMix;
import io.kipimo.simulator.workload.RateCurve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tests the product's capacity estimator (sPARE, sec. V-A1) and its tail statistics on simulated servers of shared
 * cores, whose true demand is known: 1 to 8 cores, 10 to 90 % busy, exponential and heavy-tailed demands.
 */
final class SpareEstimator implements Experiment {
    private static final int[] CORES = {1, 2, 4, 8};
    private static final double[] UTILISATIONS = {0.1, 0.3, 0.5, 0.7, 0.9};
    private static final double MEAN_SECONDS = 0.01;
    private static final double TOLERANCE = 0.05;

    /** Relative errors. The error of tail statistics is the worst of three percentiles. */
    record SpareErrors(double demand, double percentiles, double utilisation, double concurrency) {}

    private record DemandCase(String name, Distribution demand) {}

    private final long requests;

    SpareEstimator() {
        this(20_000);
    }

    /**
     * Makes the experiment.
     *
     * @param requests number of requests of each point
     */
    SpareEstimator(long requests) {
        this.requests = requests;
    }

    @Override
    public Reproduction run() {
        List<Finding> findings = new ArrayList<>();
        for (DemandCase one : List.of(
                new DemandCase("exponential", new Distribution.Exponential(MEAN_SECONDS)),
                new DemandCase("lognormal, cv 3", new Distribution.LogNormal(MEAN_SECONDS, 3)),
                new DemandCase("Pareto, shape 2.2", new Distribution.Pareto(MEAN_SECONDS, 2.2)))) {
            for (int cores : CORES) {
                List<SpareErrors> errors = Arrays.stream(UTILISATIONS)
                        .parallel()
                        .mapToObj(u -> errors(one.demand(), cores, u, requests))
                        .toList();
                double demand =
                        errors.stream().mapToDouble(SpareErrors::demand).max().orElseThrow();
                double percentiles = errors.stream()
                        .mapToDouble(SpareErrors::percentiles)
                        .max()
                        .orElseThrow();
                findings.add(Finding.compared(
                        one.name() + ", " + cores + " cores, 10 to 90 %: error of mean demand; of p50, p95, p99",
                        "within 5 % (aim); 1 %",
                        Phrase.of("%.2f %%; %.2f %%", 100 * demand, 100 * percentiles),
                        demand <= TOLERANCE && percentiles <= 0.0101,
                        "the cores are not shared as the estimator assumes"));
            }
        }
        return new Reproduction(
                requests
                        + " requests a point; the estimate is compared with the demand of the "
                        + "executed requests, statistics with their sorted latencies. Worst of five utilisations.",
                findings);
    }

    static SpareErrors errors(Distribution demand, int cores, double utilisation, long requests) {
        double rate = utilisation * cores / demand.mean();
        ServiceSpec service = ServiceSpecBuilder.builder()
                .name("server")
                .deadlineSeconds(Double.POSITIVE_INFINITY)
                .cancelsLateWork(true)
                .topK(1)
                .tiers(List.of(TierSpec.queue("server", cores, Discipline.PROCESSOR_SHARING, demand)))
                .kinds(List.of(new QueryKind("request", 1, 0, 0)))
                .classes(List.of(new ClassArrivals(
                        "all", new Arrivals.Poisson(new RateCurve.ConstantRate(rate)), QueryKindMix.SINGLE)))
                .faults(FaultPlan.NONE)
                .build();
        Engine engine = new Engine();
        SimulatedService model = new SimulatedService(engine, service, UncontrolledFrontEnd.INSTANCE, 17L + cores);
        model.report();
        model.start();
        double seconds = requests / rate;
        engine.run(Times.nanos(seconds));
        double estimated = model.takeReadings(seconds).get(0).servers().demandMicros() / 1e6;
        double busy = model.busyCoreSeconds(0);
        double executed = model.counts(0).executions();
        TailWindow tails = TailStatistics.window(
                TailScope.tier("server", "server"),
                TailWindowKind.TUMBLING,
                0,
                Math.round(seconds * 1e3),
                model.tailSums(0),
                List.of());
        LatencyStatistics latency = tails.latency().orElseThrow();
        double[] exact = model.counts(0).latencies();
        Arrays.sort(exact);
        double total = Arrays.stream(exact).sum();
        return new SpareErrors(
                error(estimated, busy / executed),
                Math.max(
                        error(latency.p50Micros() / 1e6, quantile(exact, 0.5)),
                        Math.max(
                                error(latency.p95Micros() / 1e6, quantile(exact, 0.95)),
                                error(latency.p99Micros() / 1e6, quantile(exact, 0.99)))),
                error(tails.utilisation().orElseThrow(), busy / seconds / cores),
                error(tails.concurrency(), total / seconds));
    }

    private static double quantile(double[] ascending, double share) {
        return ascending[(int) (share * (ascending.length - 1))];
    }

    private static double error(double ours, double truth) {
        return Math.abs(ours / truth - 1);
    }
}
