package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.quality.Estimate;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StratifiedEstimatorTest {
    private static final int ROUNDS = 2000;

    @Test
    void withoutAnswersThereIsNoEstimate() {
        assertThat(StratifiedEstimator.estimate(StratumCounts.NONE)).isEmpty();
        assertThat(StratifiedEstimator.estimate(StratumCounts.NONE.plusDegraded(0.5, 0.5)))
                .isEmpty();
    }

    @Test
    void withoutTimeOutsTheQualityIsOneWithoutAnySample() {
        assertThat(estimate(counted(50, 0))).isEqualTo(new Estimate(1, 1, 1));
    }

    @Test
    void manyTimeOutsOfWhichNoneIsSampledAreNotEnough() {
        assertThat(StratifiedEstimator.estimate(counted(100, 11).plusClean())).isEmpty();
    }

    @Test
    void fewTimeOutsOfWhichNoneIsSampledLeaveAllThatIsPossible() {
        assertEstimate(estimate(counted(100, 10)), 0.9, 0.95, 1);
    }

    /** (80 * 1 + 20 * mean(0.4, 0.6)) / 100. */
    @Test
    void theMeanIsThatOfTheStrataByTheirSizes() {
        StratumCounts counts =
                counted(100, 20).plusClean().plusDegraded(0.4, 0.4).plusDegraded(0.6, 0.6);
        assertThat(estimate(counts).mean()).isCloseTo(0.9, within(1e-12));
    }

    @Test
    void whenAllDegradedAnswersAreSampledNothingIsUncertain() {
        StratumCounts counts = counted(10, 2).plusDegraded(0.4, 0.4).plusDegraded(0.6, 0.6);
        assertEstimate(estimate(counts), 0.9, 0.9, 0.9);
    }

    @Test
    void expiredMeasurementsEnterMeanAndLowWithLowEndsAndHighWithHighEnds() {
        StratumCounts counts = counted(10, 2).plusDegraded(0, 0.8).plusDegraded(0.5, 0.7);
        assertEstimate(estimate(counts), 0.85, 0.85, 0.95);
    }

    @Test
    void countsThatAreFewerThanTheSamplesAreRaisedToThem() {
        StratumCounts counts =
                counted(1, 0).plusClean().plusClean().plusDegraded(0.4, 0.4).plusDegraded(0.6, 0.6);
        assertEstimate(estimate(counts), 0.75, 0.75, 0.75);
    }

    @Test
    void withoutAnySampleOfItsOwnABatchTakesTheMeanOfTheHistory() {
        StratumCounts history = StratumCounts.NONE;
        for (int i = 0; i < 200; i++) {
            history = history.plusDegraded(0.6, 0.6);
        }
        Estimate estimate =
                StratifiedEstimator.estimate(counted(100, 20), history).orElseThrow();
        assertThat(estimate.mean()).isCloseTo(0.92, within(1e-9));
        assertThat(estimate.halfWidth()).isBetween(0.01, 0.04);
    }

    @Test
    void theMoreSamplesABatchHasTheLessTheHistoryWeighs() {
        StratumCounts history = StratumCounts.NONE;
        for (int i = 0; i < 50; i++) {
            history = history.plusDegraded(i % 2, i % 2);
        }
        StratumCounts batch = counted(1000, 1000);
        double last = 0.5;
        for (int i = 0; i < 500; i++) {
            batch = batch.plusDegraded(0.9, 0.9);
            double mean =
                    StratifiedEstimator.estimate(batch, history).orElseThrow().mean();
            assertThat(mean).isGreaterThan(last);
            last = mean;
        }
        assertThat(last).isCloseTo(0.9, within(0.02));
    }

    /** Shapes that break t and percentile intervals of few samples: skewed, discrete, constant. */
    static Stream<Arguments> shapes() {
        return Stream.of(
                shape("uniform", RandomGenerator::nextDouble),
                shape("U", r -> Math.pow(Math.sin(Math.PI / 2 * r.nextDouble()), 2)),
                shape("mostly high", r -> 1 - Math.pow(r.nextDouble(), 4)),
                shape("rarely nothing", r -> r.nextDouble() < 0.05 ? 0 : 0.95),
                shape("all or nothing", r -> r.nextInt(2)),
                shape("tenth lost", r -> r.nextDouble() < 0.1 ? 0 : 1),
                shape("always the same", r -> 0.75),
                shape("always one", r -> 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("shapes")
    void theIntervalCoversWhateverTheShapeAndHoweverFewTheSamples(
            String name, ToDoubleFunction<RandomGenerator> quality) {
        RandomGenerator random = new Random(name.hashCode());
        int[][] degradedAndSampled = {
            {20, 1}, {20, 2}, {20, 5}, {20, 19}, {200, 2}, {200, 5}, {200, 10}, {200, 30}, {500, 99}
        };
        for (int[] sizes : degradedAndSampled) {
            int covered = 0;
            for (int round = 0; round < ROUNDS; round++) {
                StratumCounts counts = counted(sizes[0], sizes[0]);
                double sum = 0;
                for (int i = 0; i < sizes[0]; i++) {
                    double value = quality.applyAsDouble(random);
                    sum += value;
                    if (i < sizes[1]) {
                        counts = counts.plusDegraded(value, value);
                    }
                }
                Estimate estimate = estimate(counts);
                double truth = sum / sizes[0];
                covered += estimate.low() <= truth + 1e-9 && truth <= estimate.high() + 1e-9 ? 1 : 0;
            }
            assertThat((double) covered / ROUNDS)
                    .as("%s, %d of %d sampled", name, sizes[1], sizes[0])
                    .isGreaterThan(0.93);
        }
    }

    private static Arguments shape(String name, ToDoubleFunction<RandomGenerator> quality) {
        return Arguments.of(name, quality);
    }

    private static StratumCounts counted(long answered, long timedOut) {
        return StratumCounts.NONE.plusCounted(answered, timedOut);
    }

    private static Estimate estimate(StratumCounts counts) {
        return StratifiedEstimator.estimate(counts).orElseThrow();
    }

    private static void assertEstimate(Estimate actual, double low, double mean, double high) {
        assertThat(actual.low()).isCloseTo(low, within(1e-12));
        assertThat(actual.mean()).isCloseTo(mean, within(1e-12));
        assertThat(actual.high()).isCloseTo(high, within(1e-12));
    }
}
