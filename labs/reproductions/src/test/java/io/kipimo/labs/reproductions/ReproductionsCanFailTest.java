package io.kipimo.labs.reproductions;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.replication.Factors;
import io.kipimo.core.replication.FeasibilityLimits;
import io.kipimo.core.replication.ReplicationSettings;
import io.kipimo.core.replication.ReplicationSettingsBuilder;
import io.kipimo.core.replication.TargetMetric;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.simulator.scenario.ScenarioController;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With the product's part broken on purpose, figures that matched the paper's differ from them. */
class ReproductionsCanFailTest {
    /** They print figures of their own alone, which no paper has. */
    private static final Set<String> OF_NO_PAPER = Set.of("ubora-mixes", "shedding", "fanout");

    /** Minutes each. */
    private static final Set<String> LONG = Set.of(
            "ubora-figure-11",
            "ubora-table-2",
            "spare-figure-6",
            "spare-figure-8",
            "spare-estimator",
            "zoolander-figure-8",
            "zoolander-figure-9");

    /**
     * An experiment, on the fewest traces that still tell its forms apart.
     *
     * @param broken with the product's part broken on purpose
     */
    private record Forms(Experiment sound, Experiment broken) {}

    private static final Map<String, Forms> COMPARED = Map.ofEntries(
            entry(
                    "ubora-figure-6",
                    new UboraFigure6(),
                    new UboraFigure6(Merges.of(new MergePolicy(MergeKind.PREFERRED, List.of("0"), Map.of())))),
            entry(
                    "ubora-figure-11",
                    new UboraFigure11(ScenarioController.QUALITY, 2, 101, 102),
                    new UboraFigure11(ScenarioController.FULL_SHARING, 2, 101, 102)),
            entry(
                    "ubora-table-2",
                    new UboraTable2(ScenarioController.QUALITY, 201),
                    new UboraTable2(ScenarioController.FULL_SHARING, 201)),
            entry("spare-figure-2", new SpareFigure2(), new SpareFigure2(Factors.ones(2))),
            entry("spare-figure-6", new SpareFigure6(), new SpareFigure6(ReproductionsCanFailTest::withoutCopies)),
            entry("spare-figure-8", new SpareFigure8(), new SpareFigure8(ReproductionsCanFailTest::withoutCopies)),
            entry("spare-estimator", new SpareEstimator(), new SpareEstimator(1.1)),
            entry(
                    "zoolander-figure-5",
                    new ZoolanderFigure5(),
                    new ZoolanderFigure5((times, tau, duplicates, rate) -> 1)),
            entry(
                    "zoolander-figure-8",
                    new ZoolanderFigure8(),
                    new ZoolanderFigure8(half(Prediction.FORMULA), half(Prediction.QUEUES))),
            entry("zoolander-figure-9", new ZoolanderFigure9(), new ZoolanderFigure9(3)),
            entry(
                    "rating-table-3",
                    new RatingTable3(),
                    new RatingTable3(named ->
                            named == RatingTechnique.GOLDEN ? RatingTechnique.APPROXIMATE : RatingTechnique.GOLDEN)));

    private static Map.Entry<String, Forms> entry(String id, Experiment sound, Experiment broken) {
        return Map.entry(id, new Forms(sound, broken));
    }

    private static ReplicationSettings withoutCopies(TargetMetric target) {
        return ReplicationSettingsBuilder.builder(PartialReplication.papers(target))
                .limits(new FeasibilityLimits(0.5, 0.8, 0))
                .build();
    }

    /** Forgets half of the duplicates. */
    private static Prediction half(Prediction whole) {
        return (times, tau, duplicates, perSecond) -> whole.level(times, tau, Math.max(1, duplicates / 2), perSecond);
    }

    static List<String> quick() {
        return COMPARED.keySet().stream().filter(id -> !LONG.contains(id)).toList();
    }

    static Set<String> slow() {
        return LONG;
    }

    @ParameterizedTest
    @MethodSource
    void quick(String id) {
        check(COMPARED.get(id));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource
    void slow(String id) {
        check(COMPARED.get(id));
    }

    /** Quaestor's take their model as an argument; {@link PaperExperimentsTest} breaks it. */
    @Test
    void everyExperimentIsInThisTest() {
        assertThat(PaperExperiments.all().stream()
                        .map(PaperExperiment::id)
                        .filter(id -> !OF_NO_PAPER.contains(id) && !id.startsWith("quaestor")))
                .containsExactlyInAnyOrderElementsOf(COMPARED.keySet());
    }

    private static void check(Forms forms) {
        Reproduction sound = forms.sound().run();
        Reproduction broken = forms.broken().run();

        assertThat(sound.count(Finding.FindingVerdict.MATCHES))
                .as("%s", sound.rows())
                .isPositive();
        assertThat(broken.count(Finding.FindingVerdict.MATCHES))
                .as("%s", broken.rows())
                .isLessThan(sound.count(Finding.FindingVerdict.MATCHES));
        assertThat(broken.count(Finding.FindingVerdict.DIFFERS))
                .isGreaterThan(sound.count(Finding.FindingVerdict.DIFFERS));
    }
}
