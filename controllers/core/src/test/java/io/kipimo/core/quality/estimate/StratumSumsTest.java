package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.junit.jupiter.api.Test;

class StratumSumsTest {
    @Test
    void meanAndDeviationAreThoseOfTheQualities() {
        Random random = new Random(8);
        DescriptiveStatistics expected = new DescriptiveStatistics();
        StratumSums first = StratumSums.NONE;
        StratumSums second = StratumSums.NONE;
        for (int i = 0; i < 1000; i++) {
            double quality = random.nextDouble();
            expected.addValue(quality);
            if (i % 3 == 0) {
                first = first.add(quality);
            } else {
                second = second.add(quality);
            }
        }
        StratumSums all = first.plus(second);
        assertThat(all.mean()).isCloseTo(expected.getMean(), within(1e-12));
        assertThat(all.variance()).isCloseTo(expected.getVariance(), within(1e-12));
        assertThat(all.standardDeviation()).isCloseTo(expected.getStandardDeviation(), within(1e-12));
    }

    @Test
    void noQualityHasMeanAndVarianceZero() {
        assertThat(StratumSums.NONE.mean()).isZero();
        assertThat(StratumSums.NONE.variance()).isZero();
        assertThat(StratumSums.NONE.add(0.3).variance()).isZero();
    }

    @Test
    void sumsOfNoQualitiesWithinTheRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StratumSums(1, 2, 1))
                .withMessageContaining("sum 2.0");
        assertThatIllegalArgumentException().isThrownBy(() -> new StratumSums(1, 0.5, 0.6));
        assertThatIllegalArgumentException().isThrownBy(() -> new StratumSums(1, Double.NaN, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> StratumSums.NONE.add(-0.1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StratumCounts(1, 1, 0, StratumSums.NONE, StratumSums.NONE.add(1)))
                .withMessageContaining("0 low ends and 1 high ends");
    }
}
