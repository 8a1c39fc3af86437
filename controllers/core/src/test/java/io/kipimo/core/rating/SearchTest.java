package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.SearchTermsBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Known answers: Barahmand and Ghandeharizadeh, sec. 2.3. */
class SearchTest {
    private static DryRun run(RatingTechnique technique, int climb, double rating) {
        return DryRun.of(SearchTerms.of(technique, climb), QuadraticModel.of(rating));
    }

    private static double error(DryRun run, double rating) {
        return (rating - run.rating().throughput()) / rating;
    }

    @Test
    void goldenRuns34DifferentExperimentsAtAHundredMillion() {
        DryRun run = run(RatingTechnique.GOLDEN, 2, 100e6);

        assertThat(run.rating()).isEqualTo(new SearchResult(10_000, 100e6, 34, Ending.FOUND));
        assertThat(run.log().stream().map(ExperimentReading::load)).doesNotHaveDuplicates();
    }

    /** "This is 2.8 times the number of experiments ... of 500 actions per second". */
    @Test
    void goldenNeeds2_8TimesTheExperimentsOfARatingOf500() {
        double times = 34.0 / run(RatingTechnique.GOLDEN, 2, 500).rating().experiments();

        assertThat(times).isCloseTo(2.8, within(0.05));
    }

    /** "Golden conducts 11% to 33% more experiments", "the highest ... error was 8%" at r = 2. */
    @Test
    void approximateSaves11To33PercentAndIsUpTo8PercentOffWithClimb2() {
        double largestError = 0;
        for (double rating : new double[] {100, 500, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}) {
            DryRun approximate = run(RatingTechnique.APPROXIMATE, 2, rating);
            int golden = run(RatingTechnique.GOLDEN, 2, rating).rating().experiments();
            double saved = 1 - (double) approximate.rating().experiments() / golden;
            assertThat(saved).isBetween(0.11, 0.34);
            largestError = Math.max(largestError, error(approximate, rating));
        }
        assertThat(largestError).isBetween(0.08, 0.09);
    }

    /** "as high as 18% in one instance with r=10". */
    @Test
    void approximateIs18PercentOffWithClimb10At500() {
        assertThat(error(run(RatingTechnique.APPROXIMATE, 10, 500), 500)).isBetween(0.18, 0.19);
    }

    /** Experiments of golden, approximate and adaptive. */
    @ParameterizedTest
    @CsvSource({
        "100, 2, 9, 8, 13",
        "100, 10, 12, 9, 6",
        "10000, 2, 20, 16, 10",
        "10000, 4, 16, 12, 8",
        "10000, 10, 17, 13, 10",
        "100000000, 2, 34, 28, 13",
        "100000000, 4, 27, 21, 13",
        "100000000, 10, 28, 22, 9",
    })
    void experimentsOfTheTechniques(double rating, int climb, int golden, int approximate, int adaptive) {
        assertThat(run(RatingTechnique.GOLDEN, climb, rating).rating().experiments())
                .isEqualTo(golden);
        assertThat(run(RatingTechnique.APPROXIMATE, climb, rating).rating().experiments())
                .isEqualTo(approximate);
        assertThat(run(RatingTechnique.ADAPTIVE, climb, rating).rating().experiments())
                .isEqualTo(adaptive);
    }

    @ParameterizedTest
    @EnumSource(names = {"GOLDEN", "APPROXIMATE", "ADAPTIVE"})
    void firstExperimentThatFailsIsARatingOf0(RatingTechnique technique) {
        RatedServiceModel broken = load -> new ExperimentReading(load, 10, Verdict.FAILED);

        assertThat(DryRun.of(SearchTerms.of(technique, 2), broken).rating())
                .isEqualTo(new SearchResult(0, 0, 1, Ending.FIRST_FAILED));
    }

    @ParameterizedTest
    @EnumSource(names = {"GOLDEN", "APPROXIMATE", "ADAPTIVE"})
    void endsAtTheHighestLoadAllowed(RatingTechnique technique) {
        SearchTerms settings = SearchTermsBuilder.builder(SearchTerms.of(technique, 2))
                .highestLoad(100)
                .mostExperiments(100)
                .build();
        SearchResult rating = DryRun.of(settings, QuadraticModel.of(1e8)).rating();

        assertThat(rating.load()).isEqualTo(100);
        assertThat(rating.ending()).isEqualTo(Ending.HIGHEST_LOAD);
    }

    @ParameterizedTest
    @EnumSource(names = {"GOLDEN", "APPROXIMATE", "ADAPTIVE"})
    void endsWithTheBestSoFarWhenExperimentsAreUsedUp(RatingTechnique technique) {
        SearchTerms settings = SearchTermsBuilder.builder(SearchTerms.of(technique, 2))
                .highestLoad(1_000_000)
                .mostExperiments(5)
                .build();
        DryRun run = DryRun.of(settings, QuadraticModel.of(1e8));

        assertThat(run.log()).hasSize(5);
        assertThat(run.rating().ending()).isEqualTo(Ending.TOO_MANY_EXPERIMENTS);
        assertThat(run.rating().throughput())
                .isEqualTo(run.log().stream()
                        .mapToDouble(ExperimentReading::throughput)
                        .max()
                        .orElseThrow());
    }

    @ParameterizedTest
    @EnumSource(names = {"GOLDEN", "APPROXIMATE", "ADAPTIVE"})
    void voidExperimentsAreRepeatedAndTellNothing(RatingTechnique technique) {
        SearchTerms settings = SearchTerms.of(technique, 2);
        List<ExperimentReading> log = new ArrayList<>();
        SearchStep step = Search.next(settings, log);
        while (step instanceof SearchStep.SearchRun wanted) {
            ExperimentReading reading = QuadraticModel.of(1e6).at(wanted.load());
            boolean first = wanted.purpose() != Purpose.RETRY;
            log.add(first ? new ExperimentReading(wanted.load(), 1e9, Verdict.VOID) : reading);
            step = Search.next(settings, log);
        }
        SearchResult rating = ((SearchStep.SearchEnd) step).rating();
        SearchResult undisturbed = DryRun.of(settings, QuadraticModel.of(1e6)).rating();

        assertThat(rating)
                .isEqualTo(new SearchResult(
                        undisturbed.load(), undisturbed.throughput(), 2 * undisturbed.experiments(), Ending.FOUND));
    }

    /** Figure 11: a slow generator must not count as a slow target. */
    @ParameterizedTest
    @EnumSource(names = {"GOLDEN", "APPROXIMATE", "ADAPTIVE"})
    void generatorThatIsTheBottleneckIsNoRating(RatingTechnique technique) {
        RatedServiceModel behindASlowGenerator = load -> load <= 8
                ? new ExperimentReading(load, load * 100.0, Verdict.PASSED)
                : new ExperimentReading(load, 800, Verdict.VOID);
        DryRun run = DryRun.of(SearchTerms.of(technique, 2), behindASlowGenerator);

        assertThat(run.rating().ending()).isEqualTo(Ending.GENERATOR_BOTTLENECK);
        assertThat(run.log().stream().filter(r -> r.verdict() == Verdict.VOID)).hasSize(3);
    }

    @Test
    void throughputsWithinEpsilonAreNotHigher() {
        SearchTerms settings = SearchTermsBuilder.builder(SearchTerms.of(RatingTechnique.APPROXIMATE, 2))
                .epsilon(0.05)
                .build();
        RatedServiceModel plateau =
                load -> new ExperimentReading(load, Math.min(load, 64) * 10.0 + load * 0.01, Verdict.PASSED);

        assertThat(DryRun.of(settings, plateau).rating().load()).isBetween(60L, 64L);
        assertThat(DryRun.of(settings, plateau).log()).allMatch(r -> r.load() <= 128);
    }

    @Test
    void logOfSomethingElseIsRefused() {
        List<ExperimentReading> log = List.of(new ExperimentReading(7, 1, Verdict.PASSED));

        assertThatThrownBy(() -> Search.next(SearchTerms.of(RatingTechnique.GOLDEN, 2), log))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("load of the first reading is 7; allowed: 1");
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        SearchTerms fine = SearchTerms.of(RatingTechnique.GOLDEN, 2);
        SearchTerms bad = SearchTermsBuilder.builder(fine).climb(1).epsilon(1.5).build();

        RecordFields.check(fine);
        assertThatThrownBy(() -> RecordFields.check(bad))
                .hasMessage("climb is 1; allowed: 2..1000; epsilon is 1.5; allowed: 0.0..1.0");
    }
}
