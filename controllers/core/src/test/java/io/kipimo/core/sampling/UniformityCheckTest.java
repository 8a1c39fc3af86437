package io.kipimo.core.sampling;

import static io.kipimo.core.sampling.UniformityCheck.BINS;
import static io.kipimo.core.sampling.UniformityCheck.UniformityVerdict.NOT_ENOUGH;
import static io.kipimo.core.sampling.UniformityCheck.UniformityVerdict.SKEWED;
import static io.kipimo.core.sampling.UniformityCheck.UniformityVerdict.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.Effort;
import java.util.Arrays;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class UniformityCheckTest {
    private static final double SIGNIFICANCE = 0.001;

    @Test
    void randomIdsLookUniformAtAnyRate() {
        RandomGenerator random = new Random(5);
        for (double rate : new double[] {1, 0.2, 0.01}) {
            long threshold = ConsistentSampling.threshold(rate);
            long[] counts = new long[BINS];
            for (int i = 0; i < Effort.of(50_000, 200_000); i++) {
                String id = String.format("%016x%016x", random.nextLong(), random.nextLong());
                long randomness = ConsistentSampling.randomness(id);
                if (randomness >= threshold) {
                    counts[UniformityCheck.bin(randomness, threshold)]++;
                }
            }
            assertThat(UniformityCheck.verdict(counts, SIGNIFICANCE)).isEqualTo(UNIFORM);
        }
    }

    @Test
    void idsThatEndWithATimeLookSkewed() {
        long[] counts = new long[BINS];
        for (long i = 0; i < 10_000; i++) {
            String id = String.format("%016x%016x", 1L, 1_700_000_000_000L + 13 * i);
            counts[UniformityCheck.bin(ConsistentSampling.randomness(id), 0)]++;
        }
        assertThat(UniformityCheck.verdict(counts, SIGNIFICANCE)).isEqualTo(SKEWED);
    }

    @Test
    void uniformRandomnessIsSkewedAsOftenAsTheSignificance() {
        RandomGenerator random = new Random(6);
        int skewed = 0;
        for (int round = 0; round < 2000; round++) {
            long[] counts = new long[BINS];
            for (int i = 0; i < 20 * BINS; i++) {
                counts[random.nextInt(BINS)]++;
            }
            skewed += UniformityCheck.verdict(counts, 0.05) == SKEWED ? 1 : 0;
        }
        assertThat(skewed / 2000.0).isCloseTo(0.05, within(0.02));
    }

    @Test
    void fewerThanFiveABinGiveNoVerdict() {
        long[] counts = new long[BINS];
        counts[0] = 5 * BINS - 1;
        assertThat(UniformityCheck.verdict(counts, SIGNIFICANCE)).isEqualTo(NOT_ENOUGH);
        counts[0]++;
        assertThat(UniformityCheck.verdict(counts, SIGNIFICANCE)).isEqualTo(SKEWED);
    }

    /** Chi-square 64 with 63 degrees of freedom: scipy.stats.chi2.sf(64, 63). */
    @Test
    void probability_isPearsons() {
        long[] counts = new long[BINS];
        Arrays.fill(counts, 0, BINS / 2, 64 + 8);
        Arrays.fill(counts, BINS / 2, BINS, 64 - 8);
        assertThat(UniformityCheck.probability(counts)).isCloseTo(0.44117997461, within(1e-9));
        assertThat(UniformityCheck.probability(new long[BINS])).isEqualTo(1);
    }

    @Test
    void bin_coversTheRangeFromTheThreshold() {
        long threshold = ConsistentSampling.threshold(0.25);
        assertThat(UniformityCheck.bin(threshold, threshold)).isZero();
        assertThat(UniformityCheck.bin((1L << 56) - 1, threshold)).isEqualTo(BINS - 1);
        assertThat(UniformityCheck.bin(threshold + (1L << 53), threshold)).isEqualTo(BINS / 2);
        assertThatIllegalArgumentException().isThrownBy(() -> UniformityCheck.bin(threshold - 1, threshold));
    }
}
