package io.kipimo.labs.reproductions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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

    static List<PaperExperiment> quick() {
        return compared().filter(e -> !LONG.contains(e.id())).toList();
    }

    static List<PaperExperiment> slow() {
        return compared().filter(e -> LONG.contains(e.id())).toList();
    }

    private static Stream<PaperExperiment> compared() {
        return PaperExperiments.all().stream()
                .filter(e -> !OF_NO_PAPER.contains(e.id()) && !e.id().startsWith("quaestor"));
    }

    @ParameterizedTest
    @MethodSource
    void quick(PaperExperiment experiment) {
        check(experiment);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource
    void slow(PaperExperiment experiment) {
        check(experiment);
    }

    /** Quaestor's take their model as an argument; {@link PaperExperimentsTest} breaks it. */
    @Test
    void everyExperimentIsInThisTest() {
        assertThat(PaperExperiments.all()).hasSize((int) compared().count() + OF_NO_PAPER.size() + 6);
    }

    private static void check(PaperExperiment whole) {
        Experiment experiment = whole.experiment().brief();
        Reproduction sound = experiment.run();
        Reproduction broken = experiment.broken().run();

        assertThat(sound.count(Finding.Verdict.MATCHES)).as("%s", sound.rows()).isPositive();
        assertThat(broken.count(Finding.Verdict.MATCHES))
                .as("%s", broken.rows())
                .isLessThan(sound.count(Finding.Verdict.MATCHES));
        assertThat(broken.count(Finding.Verdict.DIFFERS)).isGreaterThan(sound.count(Finding.Verdict.DIFFERS));
    }
}
