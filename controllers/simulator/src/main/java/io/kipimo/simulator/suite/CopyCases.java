package io.kipimo.simulator.suite;

import io.kipimo.simulator.faults.FaultPlan;
import io.kipimo.simulator.faults.MessageFaults;
import io.kipimo.simulator.faults.ServerFault;
import io.kipimo.simulator.faults.ServerFault.FaultKind;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.ScenarioReader;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.QueryKindMix;
import io.kipimo.simulator.workload.QueryKindMix.KindPhase;
import io.kipimo.simulator.workload.RateCurve;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cases for replication: a service of two tiers that answers 99 % of its requests within 200 ms, at 1 % of its
 * capacity, and gets into trouble. A case's {@code carried} is the number of further copies of a request that help.
 */
final class CopyCases {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    /** Objective of the quality, which is the share of the queries in time here. */
    static final double OBJECTIVE = 0.99;

    private static final int FROM = 600;
    private static final int BUSY = 750;
    private static final int UNTIL = 900;

    private static final Scenario BASE = ScenarioReader.read("""
            name: copies
            seconds: 1500
            slot_seconds: 1
            service:
              name: wiki
              deadline_millis: 200
              late_millis: 10000
              cancels_late_work: false
              kinds:
                - {name: usual}
                - {name: heavy, demand_factor: 30}
              mix:
                - {from_seconds: 0, shares: {usual: 1, heavy: 0}}
              tiers:
                - {name: page, servers: 6, cores: 4, demand: {kind: lognormal, mean_millis: 10, variation: 0.02}, calls: 2}
                - {name: data, servers: 6, cores: 4, demand: {kind: lognormal, mean_millis: 5, variation: 0.02}}
              classes:
                - name: all
                  arrivals: {kind: poisson, rate_per_second: 10}
            replication: {target: p99, objective_millis: 200}
            """, file -> {
        throw new IllegalStateException("no file is named");
    });

    private CopyCases() {}

    static List<SuiteCase> all() {
        return List.of(
                of("copies-slow-page", slow("page", 0.04), 1).withMostReturnSeconds(45),
                of("copies-slow-data", slow("data", 0.02), 1).withMostReturnSeconds(45),
                of("copies-in-turn", inTurn(), 1),
                of("copies-busy", busy(), 0)
                        .withCarried(
                                new RateCurve.Points(new double[] {FROM, FROM, BUSY, BUSY}, new double[] {0, 1, 1, 0})),
                of("copies-alike", alike(), 0),
                of("copies-steady", BASE, 0).withMostReturnSeconds(1));
    }

    private static SuiteCase of(String name, Scenario scenario, double needed) {
        RateCurve carried =
                new RateCurve.Points(new double[] {FROM, FROM, UNTIL, UNTIL}, new double[] {0, needed, needed, 0});
        return new SuiteCase(name, scenario.withName(name), FROM, UNTIL, carried, NEVER, 60, 0.1);
    }

    private static Scenario slow(String tier, double speed) {
        return with(List.of(fault(tier, 0, FROM, UNTIL, speed)));
    }

    /** A scenario in which one server is slow for ten seconds, then none for ten, then the next server, and so on. */
    private static Scenario inTurn() {
        return with(IntStream.range(0, (UNTIL - FROM) / 20)
                .mapToObj(i -> fault("page", i % 6, FROM + 20 * i, FROM + 20 * i + 10, 0.04))
                .toList());
    }

    /** A slow server, and then a load at which copies of all requests would be too much. */
    private static Scenario busy() {
        Scenario slow = with(List.of(fault("page", 0, FROM, BUSY, 0.04), fault("page", 0, BUSY, UNTIL, 0.3)));
        return slow.withService(load(
                slow.service(),
                new RateCurve.Points(new double[] {BUSY, BUSY, UNTIL, UNTIL}, new double[] {10, 300, 300, 10}),
                slow.service().classes().get(0).mix()));
    }

    /** Some queries cost so much that every copy of them is late. */
    private static Scenario alike() {
        return BASE.withService(load(
                BASE.service(),
                new RateCurve.ConstantRate(10),
                new QueryKindMix(List.of(
                        new KindPhase(0, new double[] {1, 0}),
                        new KindPhase(FROM, new double[] {0.95, 0.05}),
                        new KindPhase(UNTIL, new double[] {1, 0})))));
    }

    private static ServiceSpec load(ServiceSpec service, RateCurve rate, QueryKindMix mix) {
        return service.withClasses(List.of(new ClassArrivals("all", new Arrivals.Poisson(rate), mix)));
    }

    private static Scenario with(List<ServerFault> faults) {
        return BASE.withService(
                BASE.service().withFaults(new FaultPlan(faults, MessageFaults.NONE, MessageFaults.NONE)));
    }

    private static ServerFault fault(String tier, int server, double from, double until, double speed) {
        return new ServerFault(FaultKind.SLOW, tier, 0, server, from, until, speed, 20);
    }
}
