package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Estimator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AssistedEstimatorTest {
    private static final String METRIC = "tpr@20";

    /** Costs 0.5 without "a" and 0.1 without "b", and a spread of 0.05. */
    private static CostMemory memory(int answers) {
        CostMemory memory = new CostMemory();
        Random random = new Random(4);
        for (int i = 0; i < answers; i++) {
            List<String> lacked = new ArrayList<>();
            if (i % 3 != 0) {
                lacked.add("a");
            }
            if (i % 3 != 1) {
                lacked.add("b");
            }
            double loss = (i % 3 != 0 ? 0.5 : 0) + (i % 3 != 1 ? 0.1 : 0);
            double quality = 1 - loss + 0.05 * (random.nextInt(3) - 1);
            CostSums newer = new CostSums();
            newer.add(lacked);
            newer.addLoss(lacked, METRIC, quality, quality);
            memory.learn(newer);
        }
        return memory;
    }

    private static CostModel model() {
        return CostModel.of(memory(2000), METRIC).orElseThrow();
    }

    private static MissingCounts window(long answered, long degraded, long withoutA, long withoutB) {
        return new MissingCounts(
                StratumCounts.NONE.plusCounted(answered, degraded), Map.of("a", withoutA, "b", withoutB), Map.of());
    }

    private static Estimate estimate(MissingCounts window) {
        return AssistedEstimator.estimate(window, window, model()).orElseThrow();
    }

    /** (40 * 0.5 + 10 * 0.1) / 100 is lost, with no sample in the window. */
    @Test
    void theCostsOfTheMissingComponentsArePredicted() {
        assertThat(estimate(window(100, 50, 40, 10)).mean()).isCloseTo(0.79, within(0.005));
    }

    /** The number of degraded answers is the same; only what they lack has changed. */
    @Test
    void aChangeOfWhatIsMissingShowsAtOnce() {
        assertThat(estimate(window(100, 50, 0, 50)).mean()).isCloseTo(0.95, within(0.005));
        assertThat(estimate(window(100, 50, 50, 0)).mean()).isCloseTo(0.75, within(0.005));
    }

    /** The usual cost is (2/3 * 0.5 + 2/3 * 0.1) / (4/3) = 0.3. */
    @Test
    void aComponentWithoutSamplesCostsWhatAMissingComponentUsuallyCosts() {
        Estimate estimate =
                estimate(new MissingCounts(StratumCounts.NONE.plusCounted(100, 50), Map.of("new", 50L), Map.of()));
        assertThat(estimate.mean()).isCloseTo(0.85, within(0.01));
        assertThat(estimate.halfWidth())
                .isGreaterThan(estimate(window(100, 50, 50, 0)).halfWidth());
    }

    /** Half of the samples lack "a", but one in 20 answers; all lack "exact". */
    @Test
    void groupsThatAreSampledUnequallyHaveTheWeightOfTheirCounts() {
        CostMemory memory = new CostMemory();
        StratumCounts strata = StratumCounts.NONE.plusCounted(1000, 1000);
        for (int i = 0; i < 400; i++) {
            boolean isCut = i % 2 == 0;
            List<String> lacked = isCut ? List.of("a", "exact") : List.of("exact");
            double quality = isCut ? 0.45 : 0.95;
            CostSums newer = new CostSums();
            newer.add(lacked);
            newer.addLoss(lacked, METRIC, quality, quality);
            memory.learn(newer);
            if (i < 40) {
                strata = strata.plusDegraded(quality, quality);
            }
        }
        MissingCounts window =
                new MissingCounts(strata, Map.of("a", 50L, "exact", 1000L), Map.of("a", 20L, "exact", 40L));

        Estimate estimate = AssistedEstimator.estimate(
                        window, window, CostModel.of(memory, METRIC).orElseThrow())
                .orElseThrow();
        assertThat(estimate.mean()).isCloseTo(1 - 0.05 * 0.55 - 0.95 * 0.05, within(0.005));
    }

    @Test
    void whenAllDegradedAnswersAreSampledNothingIsUncertain() {
        MissingCounts window = new MissingCounts(
                StratumCounts.NONE.plusCounted(10, 2).plusDegraded(0.2, 0.2).plusDegraded(0.4, 0.4),
                Map.of("a", 2L),
                Map.of("a", 2L));
        assertThat(estimate(window)).isEqualTo(new Estimate(0.86, 0.86, 0.86));
    }

    /** Samples of the window say that "a" costs 0.9 now. */
    @Test
    void samplesOfTheWindowCorrectThePrediction() {
        CostModel model = model();
        double last = estimate(window(1000, 1000, 1000, 0)).mean();
        StratumCounts strata = StratumCounts.NONE.plusCounted(1000, 1000);
        for (long samples = 1; samples <= 500; samples++) {
            strata = strata.plusDegraded(0.1, 0.1);
            MissingCounts window = new MissingCounts(strata, Map.of("a", 1000L), Map.of("a", samples));
            double mean = AssistedEstimator.estimate(window, MissingCounts.NONE, model)
                    .orElseThrow()
                    .mean();
            assertThat(mean).isLessThan(last);
            last = mean;
        }
        assertThat(last).isCloseTo(0.1, within(0.04));
    }

    /** The index is laid out anew, and "a" costs 0.9. A batch has one sample, the averaging window 20. */
    @Test
    void samplesOfTheAveragingWindowThatContradictWhatWasLearnedReplaceIt() {
        StratumCounts strata = StratumCounts.NONE.plusCounted(1000, 1000);
        for (int i = 0; i < 20; i++) {
            strata = strata.plusDegraded(0.05 + 0.1 * (i % 2), 0.05 + 0.1 * (i % 2));
        }
        MissingCounts averaged = new MissingCounts(strata, Map.of("a", 1000L), Map.of("a", 20L));
        Estimate estimate = AssistedEstimator.estimate(window(100, 100, 100, 0), averaged, model())
                .orElseThrow();
        assertThat(estimate.mean()).isCloseTo(0.1, within(0.01));
        assertThat(estimate.low()).isLessThan(0.1);
        assertThat(estimate.high()).isGreaterThan(0.1);
    }

    @Test
    void expiredSamplesWidenTheIntervalUpwardsOnly() {
        CostMemory memory = new CostMemory();
        for (int i = 0; i < 200; i++) {
            CostSums newer = new CostSums();
            newer.add(List.of("a"));
            newer.addLoss(List.of("a"), METRIC, 0.4, 0.8);
            memory.learn(newer);
        }
        Estimate estimate = AssistedEstimator.estimate(
                        window(100, 50, 50, 0),
                        MissingCounts.NONE,
                        CostModel.of(memory, METRIC).orElseThrow())
                .orElseThrow();
        assertThat(estimate.mean()).isCloseTo(0.7, within(0.005));
        assertThat(estimate.high()).isGreaterThan(0.9);
        assertThat(estimate.low()).isBetween(0.65, 0.7);
    }

    @Test
    void withoutAnswersThereIsNoEstimateAndWithoutDegradedOnesTheQualityIsOne() {
        assertThat(AssistedEstimator.estimate(MissingCounts.NONE, MissingCounts.NONE, model()))
                .isEmpty();
        assertThat(estimate(window(50, 0, 0, 0))).isEqualTo(new Estimate(1, 1, 1));
    }

    @Test
    void withFewSamplesOrWithoutCountsTheEstimateIsStratifiedAndSaysWhy() {
        assertThat(CostModel.of(memory(29), METRIC)).isEmpty();
        assertThat(CostModel.of(memory(100), "ndcg@10")).isEmpty();

        StratumCounts history = StratumCounts.NONE.plusDegraded(0.5, 0.5).plusDegraded(0.6, 0.6);
        MissingCounts window = window(100, 50, 50, 0);
        Optional<Estimate> stratified = StratifiedEstimator.estimate(window.strata(), history);
        assertThat(WindowEstimate.of(window, window, false, Optional.of(model()), history))
                .isEqualTo(new WindowEstimate(stratified, Estimator.STRATIFIED_NOT_COUNTED));
        assertThat(WindowEstimate.of(window, window, true, Optional.empty(), history))
                .isEqualTo(new WindowEstimate(stratified, Estimator.STRATIFIED_FEW_SAMPLES));
        assertThat(WindowEstimate.of(window, window, true, Optional.of(model()), history)
                        .estimator())
                .isEqualTo(Estimator.MODEL_ASSISTED);
    }

    /** Estimate's own constructor checks that low, mean and high ascend within 0..1. */
    @Test
    void countsThatContradictOneAnotherGiveAValidEstimate() {
        CostModel model = model();
        Random random = new Random(8);
        for (int i = 0; i < 5000; i++) {
            StratumCounts strata = StratumCounts.NONE.plusCounted(1 + random.nextInt(50), random.nextInt(60));
            long sampled = random.nextInt(20);
            for (int s = 0; s < sampled; s++) {
                double high = random.nextDouble();
                strata = strata.plusDegraded(high * random.nextDouble(), high);
            }
            MissingCounts window = new MissingCounts(
                    strata,
                    Map.of("a", (long) random.nextInt(60), "x", (long) random.nextInt(9)),
                    Map.of("a", (long) random.nextInt(20), "y", (long) random.nextInt(9)));
            assertThat(AssistedEstimator.estimate(window, window, model)).isPresent();
        }
    }
}
