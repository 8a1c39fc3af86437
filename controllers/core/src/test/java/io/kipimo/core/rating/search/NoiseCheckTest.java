package io.kipimo.core.rating.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.Verdict;
import io.kipimo.core.rating.model.DryRun;
import io.kipimo.core.rating.model.QuadraticModel;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseCheckTest {
    private static ExperimentReading reading(double throughput) {
        return new ExperimentReading(64, throughput, Verdict.PASSED);
    }

    @Test
    void twoEqualExperimentsTellTheNoise() {
        NoiseCheck check = NoiseCheck.of(List.of(reading(95), reading(105)), 0.001);

        assertThat(check.noise()).isCloseTo(0.0707, within(0.0001));
        assertThat(check.decidable(100)).isTrue();
    }

    @Test
    void tooMuchNoiseIsNotDecidable() {
        NoiseCheck check = NoiseCheck.of(List.of(reading(50), reading(150)), 0.001);

        assertThat(check.decidable(1_000)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.05, 0.1})
    void predictsTheNumberOfExperimentsOfTheSearch(double noise) {
        double off = 100 * noise / Math.sqrt(2);
        NoiseCheck check = NoiseCheck.of(List.of(reading(100 - off), reading(100 + off)), 0.001);

        assertThat(check.noise()).isCloseTo(noise, within(1e-9));
        double needed =
                IntStream.range(0, 100)
                        .map(seed -> besideTheClimb(noise, seed))
                        .average()
                        .orElseThrow();
        assertThat((double) check.experimentsNeeded()).isBetween(needed / 2, needed * 2);
    }

    private static int besideTheClimb(double noise, int seed) {
        SearchSettings settings =
                SearchSettings.of(Technique.ADAPTIVE, 2)
                        .withNoise(noise)
                        .withLimits(SearchSettings.MOST_LOAD, 10_000);
        DryRun run =
                DryRun.noisy(settings, QuadraticModel.of(1e6), noise, new SplittableRandom(seed));
        int count = 0;
        for (int i = 1; i < run.log().size(); i++) {
            SearchStep step = Search.next(settings, run.log().subList(0, i));
            count += ((SearchStep.Run) step).purpose() == Purpose.CLIMB ? 0 : 1;
        }
        return count;
    }

    @Test
    void differentLoadsAreRefused() {
        ExperimentReading other = new ExperimentReading(65, 100, Verdict.PASSED);

        assertThatThrownBy(() -> NoiseCheck.of(List.of(reading(100), other), 0.001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("allowed: two or more of one load");
    }
}
