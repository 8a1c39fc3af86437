package io.kipimo.labs.reproductions;

import io.kipimo.simulator.report.Phrase;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.ScenarioController;
import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.scenario.SimulationResult.ClassTotal;
import io.kipimo.simulator.service.Discipline;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.workload.QueryKind;
import io.kipimo.simulator.workload.RateCurve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Compares ways to choose the queries that are shed, on scenario {@code shedding} and variants of it: uniform admission
 * by quality and by time-outs, costliest queries first, and priority queues in the components. All settings are in this
 * class and in the scenario. The set point of time-outs is tuned on other traces of the first mix, and then kept.
 */
final class Shedding implements Experiment {
    static final long[] COUNTING = {301, 302, 303};
    private static final int BISECTIONS = 5;

    /** Least ratio of the good answers under costliest first to those under uniform admission, set by us. */
    private static final double GAIN = 1.1;

    private static final String UNIFORM = "quality";
    private static final String BY_COST = "quality, costliest first";

    /** A way to share the service. */
    record SharingWay(String name, UnaryOperator<Scenario> applied) {}

    /** A variant of the scenario. In {@code coarse} and {@code opposite}, the predictions of costs are changed. */
    record SheddingMix(String name, Scenario scenario) {}

    private final long[] traces;

    Shedding() {
        this(COUNTING.length);
    }

    /**
     * Makes the experiment.
     *
     * @param traces 2 or 3; with 2, only the first mix runs
     */
    Shedding(long traces) {
        this.traces = Arrays.copyOf(COUNTING, (int) traces);
    }

    @Override
    public Reproduction run() {
        Scenario base = BuiltIn.scenario("shedding");
        double setPoint = SharedService.equalQuality(base, BISECTIONS);
        List<Finding> findings = new ArrayList<>();
        for (SheddingMix mix : mixes(base)
                .subList(0, traces.length < COUNTING.length ? 1 : mixes(base).size())) {
            Map<String, List<SimulationResult>> results = new LinkedHashMap<>();
            for (SharingWay way : ways(setPoint)) {
                results.put(way.name(), SharedService.run(way.applied().apply(mix.scenario()), traces));
            }
            if (findings.isEmpty()) {
                findings.add(gain(results));
            }
            results.forEach((way, runs) -> findings.add(finding(mix.name() + ", " + way, runs)));
        }
        return new Reproduction(
                Phrase.of(
                                "Scenario shedding, objective %.2f, set point of time-outs %.3f (tuned to"
                                        + " equal quality on other traces of the first mix), %d traces of"
                                        + " %.0f s after warm-up a mix, intervals at 95 %%. Figures:"
                                        + " quality of the high class; low-class answers/s of quality 0.9"
                                        + " or above; the low class's mean quality; its admitted share.",
                                base.control()
                                        .orElseThrow()
                                        .policy()
                                        .highestClass()
                                        .objective(),
                                setPoint,
                                traces.length,
                                base.seconds() - base.warmUpSeconds())
                        + UboraFigure11.difference(base.control().orElseThrow()),
                findings);
    }

    static List<SharingWay> ways(double setPoint) {
        UnaryOperator<Scenario> timeOuts = s -> SharedService.underTimeOuts(s, setPoint);
        UnaryOperator<Scenario> timeOutsByCost = s -> {
            Scenario uniform = SharedService.underTimeOuts(s, setPoint);
            return uniform.withControl(
                    ScenarioController.costliestFirst(uniform.control().orElseThrow()));
        };
        return List.of(
                new SharingWay("no sharing", by(ScenarioController.NO_SHARING)),
                new SharingWay("full sharing", by(ScenarioController.FULL_SHARING)),
                new SharingWay("time-outs", timeOuts),
                new SharingWay(UNIFORM, by(ScenarioController.QUALITY)),
                new SharingWay("time-outs, costliest first", timeOutsByCost),
                new SharingWay(BY_COST, by(ScenarioController.COST)),
                new SharingWay("priority queues", queued(by(ScenarioController.FULL_SHARING))),
                new SharingWay("queues, quality", queued(by(ScenarioController.QUALITY))),
                new SharingWay("queues, quality, costliest first", queued(by(ScenarioController.COST))));
    }

    private static UnaryOperator<Scenario> by(ScenarioController controller) {
        return scenario -> SharedService.under(scenario, controller);
    }

    private static UnaryOperator<Scenario> queued(UnaryOperator<Scenario> way) {
        return scenario -> {
            ServiceSpec service = scenario.service();
            return way.apply(scenario.withService(service.withTiers(service.tiers().stream()
                    .map(t -> t.withDiscipline(Discipline.CLASS_PRIORITY))
                    .toList())));
        };
    }

    static List<SheddingMix> mixes(Scenario base) {
        return List.of(
                new SheddingMix("base", base),
                new SheddingMix(
                        "low x 0.6",
                        SharedService.withLowRate(base, rate -> new RateCurve.ConstantRate(0.6 * rate.maximum()))),
                new SheddingMix(
                        "equal costs",
                        SharedService.withKinds(
                                base, k -> kind(k, base.service().kinds().get(2).demandFactor(), 1))),
                new SheddingMix("coarse", SharedService.withKinds(base, Shedding::coarse)),
                new SheddingMix(
                        "opposite",
                        SharedService.withKinds(base, k -> kind(k, k.demandFactor(), 1 / k.demandFactor()))));
    }

    /** The kind of query with a prediction that tells only whether its cost is above the mean. */
    private static QueryKind coarse(QueryKind kind) {
        return kind(kind, kind.demandFactor(), kind.demandFactor() > 1 ? 2 : 1);
    }

    private static QueryKind kind(QueryKind kind, double demand, double predicted) {
        return new QueryKind(kind.name(), demand, kind.skew(), kind.cached(), predicted);
    }

    private static Finding gain(Map<String, List<SimulationResult>> results) {
        double gain = gain(results.get(BY_COST), results.get(UNIFORM));
        return Finding.compared(
                "first mix: good answers by quality, costliest first, times uniform",
                "at least " + GAIN + " (our bar)",
                Phrase.of("%.2f", gain),
                gain >= GAIN,
                "costliest first gains less");
    }

    /** Ratio of the mean rates of good answers in some runs and in others. */
    static double gain(List<SimulationResult> some, List<SimulationResult> others) {
        return SharedService.average(some, Shedding::goodPerSecond)
                / SharedService.average(others, Shedding::goodPerSecond);
    }

    private static Finding finding(String what, List<SimulationResult> results) {
        return Finding.alone(
                what,
                Phrase.of(
                        "%s; %s; %s; %s",
                        Sample.text(results, SharedService::highQuality, "%.3f"),
                        Sample.text(results, Shedding::goodPerSecond, "%.0f"),
                        Sample.text(results, r -> r.classTotal("low").quality(), "%.3f"),
                        Sample.text(results, SharedService::lowAdmitted, "%.2f")),
                "");
    }

    static double goodPerSecond(SimulationResult result) {
        ClassTotal low = result.classTotal("low");
        return low.good() / (result.seconds() - result.warmUpSeconds());
    }
}
