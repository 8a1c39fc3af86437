package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.quality.Estimate;
import org.junit.jupiter.api.Test;

class PlainEstimatorTest {
    @Test
    void theMeanIsThatOfTheSamplesAndIgnoresTheCounts() {
        StratumCounts counts = StratumCounts.NONE
                .plusCounted(1000, 1)
                .plusClean()
                .plusClean()
                .plusDegraded(0.1, 0.3)
                .plusDegraded(0.5, 0.5);
        Estimate estimate = PlainEstimator.estimate(counts).orElseThrow();
        assertThat(estimate.mean()).isCloseTo(2.6 / 4, within(1e-12));
        assertThat(estimate.low()).isLessThan(estimate.mean());
        assertThat(estimate.high()).isGreaterThan(estimate.mean());
    }

    @Test
    void withoutSamplesThereIsNoEstimate() {
        assertThat(PlainEstimator.estimate(StratumCounts.NONE.plusCounted(100, 50)))
                .isEmpty();
    }

    /** scipy.stats.t.ppf(0.975, 1), (0.975, 10) and (0.975, 100). */
    @Test
    void studentsTQuantiles() {
        assertThat(StudentT.quantile975(1)).isCloseTo(12.706204736, within(1e-6));
        assertThat(StudentT.quantile975(10)).isCloseTo(2.228138852, within(1e-6));
        assertThat(StudentT.quantile975(5000)).isCloseTo(1.983971519, within(1e-6));
    }
}
