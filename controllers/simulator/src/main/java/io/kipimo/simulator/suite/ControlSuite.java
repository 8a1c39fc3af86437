package io.kipimo.simulator.suite;

import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.simulator.control.ControlSpec;
import io.kipimo.simulator.faults.FaultPlan;
import io.kipimo.simulator.faults.MessageFaults;
import io.kipimo.simulator.faults.ServerFault;
import io.kipimo.simulator.faults.ServerFault.FaultKind;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.Simulation;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.Distribution;
import io.kipimo.simulator.workload.QueryKindMix;
import io.kipimo.simulator.workload.QueryKindMix.KindPhase;
import io.kipimo.simulator.workload.RateCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The situations that admission control is for, each as a scenario of two to four classes on four shards: steps, drifts
 * and bursts of load, faults that come and go, and troubles that shedding does not help. The scenarios are variants of
 * the built-in {@code step}.
 */
public final class ControlSuite {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    /** Queries a second at which the four shards keep a quality of 0.95: 0.9 of their capacity. */
    private static final double CARRIED = 90;

    private static final int SHARDS = 4;
    private static final int HIGH = 20;

    /** Seconds that a step or fault lasts, and seconds before its start. */
    private static final int LONG = 300;

    private static final Scenario BASE = BuiltIn.scenario("step");

    private ControlSuite() {}

    /** All cases, in the order of the report. */
    public static List<SuiteCase> cases() {
        return Stream.of(admission(), CopyCases.all()).flatMap(List::stream).toList();
    }

    /** The cases of admission. */
    public static List<SuiteCase> admission() {
        return List.of(
                overload("step-up", steps(20, LONG, 200), 30),
                fewSamples(),
                of("start-at-2x", low(constant(190)), 0, NEVER, constant(CARRIED), 30, 0.1),
                of("three-classes", threeClasses(), 0, NEVER, constant(CARRIED), 30, 0.1),
                of("two-alike", twoAlike(), 0, NEVER, constant(CARRIED), 30, 0.1),
                fault("halved", 55, slow(0.5, 0, 1, 2, 3), CARRIED * 0.5),
                fault("neighbour", 55, slow(0.3, 0), CARRIED * 0.3),
                mixHeavier(),
                inVain("flapping", 50, List.of(server(FaultKind.FLAPPING, 0, 1)), 0.95),
                inVain("dead-shard", 50, List.of(server(FaultKind.DEAD, 0, 1)), 0.95),
                unreachable(),
                of(
                                "drift",
                                low(new RateCurve.Points(values(0, 1500), values(0, 230))),
                                600,
                                NEVER,
                                constant(CARRIED),
                                NEVER,
                                0.1)
                        .withMostReturnSeconds(1),
                bursts("bursts-20-of-60", 60, 20, 280),
                bursts("bursts-2-of-10", 10, 2, 280),
                of("steady-60", low(constant(40)), 0, NEVER, constant(1000), 1, 0.01),
                of("steady-85", low(constant(65)), 0, NEVER, constant(CARRIED), 1, 0.02));
    }

    /** Runs a case with a seed. */
    public static SuiteFigures run(SuiteCase suiteCase, long seed) {
        Scenario scenario = suiteCase.scenario().withSeed(seed);
        double objective = scenario.control()
                .map(control -> control.policy().highestClass().objective())
                .orElse(CopyCases.OBJECTIVE);
        return SuiteFigures.of(suiteCase, objective, Simulation.run(scenario));
    }

    private static SuiteCase of(
            String name,
            Scenario scenario,
            double changedAt,
            double restoredAt,
            RateCurve carried,
            double mostReturn,
            double mostNeedless) {
        return new SuiteCase(
                name, scenario.withName(name), changedAt, restoredAt, carried, mostReturn, 60, mostNeedless);
    }

    private static SuiteCase overload(String name, RateCurve low, double mostReturn) {
        return of(name, low(low).withSeconds(2 * LONG), LONG, NEVER, constant(CARRIED), mostReturn, 0.1);
    }

    /**
     * A case whose windows have about twelve samples, fewer than {@code minimum_samples}, so only the counts show what
     * is wrong.
     */
    private static SuiteCase fewSamples() {
        SuiteCase base = overload("few-samples", steps(36, LONG, 216), 60);
        Scenario scenario = base.scenario();
        List<ClassArrivals> classes = new ArrayList<>(scenario.service().classes());
        classes.set(0, new ClassArrivals("high", poisson(constant(4)), usual()));
        ControlSpec control = scenario.control().orElseThrow();
        SamplingPolicy sampling =
                SamplingPolicy.builder().maximumRate(1).fixedRate(0.05).build();
        return base.withScenario(scenario.withService(scenario.service().withClasses(classes))
                .withControl(control.withPolicy(
                        control.policy().toBuilder().sampling(sampling).build())));
    }

    private static SuiteCase fault(String name, double low, List<ServerFault> faults, double carried) {
        Scenario scenario = with(low(constant(low)).withSeconds(3 * LONG), faults);
        return of(name, scenario, LONG, 2 * LONG, steps(1000, LONG, carried, 2 * LONG, 1000), 45, 0.1);
    }

    /** A case in which quality stays as it is, whatever is shed, so all refusals are needless. */
    private static SuiteCase inVain(String name, double low, List<ServerFault> faults, double objective) {
        Scenario scenario = objective(with(low(constant(low)).withSeconds(3 * LONG), faults), objective);
        return of(name, scenario, LONG, 2 * LONG, constant(1000), NEVER, 0.05);
    }

    private static SuiteCase unreachable() {
        SuiteCase base = inVain("unreachable", 20, List.of(), 0.999);
        Scenario scenario = base.scenario();
        ServiceSpec service = scenario.service();
        return base.withScenario(scenario.withService(service.withTiers(service.tiers().stream()
                        .map(t -> t.withDemand(new Distribution.Pareto(0.01, 1.15)))
                        .toList())))
                .withChangedAtSeconds(0)
                .withRestoredAtSeconds(NEVER);
    }

    private static SuiteCase mixHeavier() {
        QueryKindMix mix = new QueryKindMix(List.of(
                new KindPhase(0, new double[] {1, 0}),
                new KindPhase(LONG, new double[] {0.6, 0.4}),
                new KindPhase(2 * LONG, new double[] {1, 0})));
        Scenario scenario = low(constant(55)).withSeconds(3 * LONG);
        ServiceSpec service = scenario.service();
        return of(
                "mix-heavier",
                scenario.withService(service.withClasses(service.classes().stream()
                        .map(c -> new ClassArrivals(c.name(), c.arrivals(), mix))
                        .toList())),
                LONG,
                2 * LONG,
                steps(1000, LONG, CARRIED / 2.2 * 0.9, 2 * LONG, 1000),
                45,
                0.1);
    }

    private static SuiteCase bursts(String name, int period, int length, double rate) {
        int times = 900 / period;
        double[] seconds = IntStream.range(0, times)
                .boxed()
                .flatMapToDouble(k -> DoubleStream.of(
                        k * period, (k + 1) * period - length, (k + 1) * period - length, (k + 1) * period))
                .toArray();
        double[] rates = IntStream.range(0, times)
                .boxed()
                .flatMapToDouble(k -> DoubleStream.of(HIGH, HIGH, rate, rate))
                .toArray();
        // What the service cannot carry is the bursts' own.
        return of(
                name,
                low(new RateCurve.Points(seconds, rates)).withSeconds(900),
                0,
                NEVER,
                constant(CARRIED),
                NEVER,
                0.1);
    }

    private static Scenario threeClasses() {
        ControlSpec control = BASE.control().orElseThrow();
        ClassPolicy low = control.policy().classes().get(1);
        return classes(
                List.of(low.withName("mid").withObjective(0.9).withSafeFraction(0.7), low.withPriority(2)),
                30,
                120,
                60);
    }

    private static Scenario twoAlike() {
        ClassPolicy low = BASE.control().orElseThrow().policy().classes().get(1);
        return classes(List.of(low.withName("a").withObjective(0.95), low.withName("b")), HIGH, 80, 80);
    }

    /** @param rates arrivals a second of the high class and of the lower ones */
    private static Scenario classes(List<ClassPolicy> lower, double... rates) {
        ControlSpec control = BASE.control().orElseThrow();
        List<ClassPolicy> policies = new ArrayList<>(List.of(control.policy().highestClass()));
        policies.addAll(lower);
        List<ClassArrivals> arrivals = IntStream.range(0, rates.length)
                .mapToObj(c -> new ClassArrivals(policies.get(c).name(), poisson(constant(rates[c])), usual()))
                .toList();
        return BASE.withService(BASE.service().withClasses(arrivals))
                .withControl(control.withPolicy(
                        control.policy().toBuilder().classes(policies).build()));
    }

    private static Scenario low(RateCurve rate) {
        List<ClassArrivals> classes = BASE.service().classes();
        Scenario scenario = BASE.withService(
                BASE.service().withClasses(List.of(classes.get(0), new ClassArrivals("low", poisson(rate), usual()))));
        return rate instanceof RateCurve.Points p && p.seconds()[p.seconds().length - 1] > scenario.seconds()
                ? scenario.withSeconds(p.seconds()[p.seconds().length - 1])
                : scenario;
    }

    private static Scenario objective(Scenario scenario, double objective) {
        ControlSpec control = scenario.control().orElseThrow();
        List<ClassPolicy> classes = new ArrayList<>(control.policy().classes());
        classes.set(0, classes.get(0).withObjective(objective));
        return scenario.withControl(
                control.withPolicy(control.policy().toBuilder().classes(classes).build()));
    }

    private static Scenario with(Scenario scenario, List<ServerFault> faults) {
        return scenario.withService(
                scenario.service().withFaults(new FaultPlan(faults, MessageFaults.NONE, MessageFaults.NONE)));
    }

    private static List<ServerFault> slow(double speed, int... shards) {
        return IntStream.of(shards)
                .mapToObj(shard -> server(FaultKind.SLOW, speed, shard))
                .toList();
    }

    private static ServerFault server(FaultKind kind, double speed, int shard) {
        return new ServerFault(kind, "shard", shard % SHARDS, 0, LONG, 2 * LONG, speed, 20);
    }

    private static QueryKindMix usual() {
        return BASE.service().classes().get(1).mix();
    }

    private static Arrivals poisson(RateCurve rate) {
        return new Arrivals.Poisson(rate);
    }

    private static RateCurve constant(double rate) {
        return new RateCurve.ConstantRate(rate);
    }

    /**
     * Returns a curve with a first value, and with others from given times on: {@code first, seconds, value, seconds,
     * value, ...}.
     */
    private static RateCurve steps(double... values) {
        int steps = values.length / 2;
        double[] seconds = new double[2 * steps + 1];
        double[] rates = new double[2 * steps + 1];
        rates[0] = values[0];
        for (int i = 0; i < steps; i++) {
            seconds[2 * i + 1] = values[2 * i + 1];
            seconds[2 * i + 2] = values[2 * i + 1];
            rates[2 * i + 1] = values[2 * i];
            rates[2 * i + 2] = values[2 * i + 2];
        }
        return new RateCurve.Points(seconds, rates);
    }

    private static double[] values(double... values) {
        return values;
    }
}
