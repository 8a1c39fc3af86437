package io.kipimo.labs.reproductions;

import io.kipimo.labs.reproductions.Shedding.SheddingMix;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.simulator.control.ControlSpec;
import io.kipimo.simulator.report.Phrase;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.ScenarioController;
import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.workload.QueryKind;
import io.kipimo.simulator.workload.TopicSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares asking fewer components of a query with admission alone. Fewer components are asked with and without
 * shedding the costliest queries first, on partitions that differ by topic, and on partitions that are alike. All
 * settings are in this class and in scenario {@code fanout}.
 */
final class AskingFewer implements Experiment {
    static final long[] COUNTING = {501, 502, 503};

    /** Least ratio of the good answers under trim to those under uniform admission, set by us. */
    private static final double GAIN = 1.1;

    private static final List<ScenarioController> WAYS = List.of(
            ScenarioController.QUALITY, ScenarioController.COST, ScenarioController.TRIM, ScenarioController.TRIM_COST);

    private final long[] traces;

    AskingFewer() {
        this(COUNTING.length);
    }

    /**
     * Makes the experiment.
     *
     * @param traces 2 or 3; with 2, only the first mix runs
     */
    AskingFewer(long traces) {
        this.traces = Arrays.copyOf(COUNTING, (int) traces);
    }

    @Override
    public Reproduction run() {
        Scenario base = BuiltIn.scenario("fanout");
        List<Finding> findings = new ArrayList<>();
        for (SheddingMix mix : mixes(base)
                .subList(0, traces.length < COUNTING.length ? 1 : mixes(base).size())) {
            Map<ScenarioController, List<SimulationResult>> results = new LinkedHashMap<>();
            for (ScenarioController way : WAYS) {
                results.put(way, SharedService.run(SharedService.under(mix.scenario(), way), traces));
            }
            if (findings.isEmpty()) {
                findings.add(asked(results));
            }
            results.forEach((way, runs) -> findings.add(finding(mix.name() + ", " + name(way), runs)));
        }
        return new Reproduction(
                Phrase.of(
                                "Scenario fanout, objective %.2f, floor %.2f, %.0f %% explored, %d traces of"
                                        + " %.0f s after warm-up a mix, intervals at 95 %%. Figures: quality"
                                        + " of the high class; low-class answers/s of quality 0.9 or above;"
                                        + " the low class's mean quality; its admitted share; the share of"
                                        + " the components that its answers asked.",
                                base.control()
                                        .orElseThrow()
                                        .policy()
                                        .highestClass()
                                        .objective(),
                                base.control()
                                        .orElseThrow()
                                        .policy()
                                        .fanOut()
                                        .orElseThrow()
                                        .floor(),
                                100
                                        * base.control()
                                                .orElseThrow()
                                                .policy()
                                                .fanOut()
                                                .orElseThrow()
                                                .exploration(),
                                traces.length,
                                base.seconds() - base.warmUpSeconds())
                        + UboraFigure11.difference(base.control().orElseThrow()),
                findings);
    }

    static List<SheddingMix> mixes(Scenario base) {
        return List.of(
                new SheddingMix("by topic, topics shift", base),
                new SheddingMix("by topic", steady(base)),
                new SheddingMix("by topic, floor 0.97", withFloor(steady(base), 0.97)),
                new SheddingMix("sharply by topic", withSkew(steady(base), 3)),
                new SheddingMix("alike", withSkew(base, 0)));
    }

    /** The scenario without a shift of topics. */
    static Scenario steady(Scenario base) {
        return withTopics(base, Double.POSITIVE_INFINITY);
    }

    private static Scenario withTopics(Scenario base, double shiftSeconds) {
        ServiceSpec service = base.service();
        TopicSpec t = service.topics().orElseThrow();
        return base.withService(
                service.withTopics(Optional.of(new TopicSpec(t.count(), t.words(), t.wordsPerQuery(), shiftSeconds))));
    }

    private static Scenario withFloor(Scenario base, double floor) {
        ControlSpec control = base.control().orElseThrow();
        Policy policy = control.policy();
        return base.withControl(control.withPolicy(policy.toBuilder()
                .fanOut(policy.fanOut().map(f -> f.toBuilder().floor(floor).build()))
                .build()));
    }

    /**
     * The scenario with another exponent of the partitions' shares of an answer. With 0, the partitions are alike, as
     * with a hash of the document's id.
     */
    static Scenario withSkew(Scenario base, double skew) {
        return SharedService.withKinds(
                base, k -> new QueryKind(k.name(), k.demandFactor(), skew, k.cached(), k.predictedCost()));
    }

    private static Finding asked(Map<ScenarioController, List<SimulationResult>> results) {
        double gain = Shedding.gain(results.get(ScenarioController.TRIM), results.get(ScenarioController.QUALITY));
        return Finding.compared(
                "first mix: good answers by trim, times uniform admission",
                "at least " + GAIN + " (our bar)",
                Phrase.of("%.2f", gain),
                gain >= GAIN,
                "to ask fewer gains less");
    }

    private static Finding finding(String what, List<SimulationResult> results) {
        return Finding.alone(
                what,
                Phrase.of(
                        "%s; %s; %s; %s; %s",
                        Sample.text(results, SharedService::highQuality, "%.3f"),
                        Sample.text(results, Shedding::goodPerSecond, "%.0f"),
                        Sample.text(results, r -> r.classTotal("low").quality(), "%.3f"),
                        Sample.text(results, SharedService::lowAdmitted, "%.2f"),
                        Sample.text(results, r -> r.classTotal("low").askedShare(), "%.2f")),
                "");
    }

    private static String name(ScenarioController way) {
        return switch (way) {
            case QUALITY -> "quality";
            case COST -> "costliest first";
            case TRIM -> "trim";
            case TRIM_COST -> "trim + costliest first";
            default -> throw new IllegalArgumentException("way is " + way + "; allowed: " + WAYS);
        };
    }
}
