package io.kipimo.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.random.RandomGenerator;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.apache.commons.math3.distribution.BinomialDistribution;

class ConsistentSamplingPropertyTest {
    private static final int QUERIES = 20_000;

    @Property(seed = "1", maxDiscardRatio = 20)
    void loweringTheRateKeepsASubset(
            @ForAll String id, @ForAll @DoubleRange(max = 1) double rate, @ForAll @DoubleRange(max = 1) double other) {
        double lower = Math.min(rate, other);
        double higher = Math.max(rate, other);
        Assume.that(ConsistentSampling.isSampled(id, lower));
        assertThat(ConsistentSampling.isSampled(id, higher)).isTrue();
    }

    @Property(seed = "2")
    void rateZeroSamplesNoneAndOneAll(@ForAll String id) {
        assertThat(ConsistentSampling.isSampled(id, 0)).isFalse();
        assertThat(ConsistentSampling.isSampled(id, 1)).isTrue();
    }

    @Property(tries = 20, seed = "3")
    void shareOfRandomTraceIdsIsWithinBinomialBounds(
            @ForAll long seed, @ForAll @Scale(3) @DoubleRange(min = 0.001, max = 0.999) double rate) {
        RandomGenerator random = new Random(seed);
        int sampled = 0;
        for (int i = 0; i < QUERIES; i++) {
            String id = String.format("%016x%016x", random.nextLong(), random.nextLong());
            sampled += ConsistentSampling.isSampled(id, rate) ? 1 : 0;
        }
        assertWithinBinomialBounds(sampled, rate);
    }

    @Property(tries = 20, seed = "4")
    void shareOfCountedIdsIsWithinBinomialBounds(
            @ForAll int start, @ForAll @Scale(3) @DoubleRange(min = 0.001, max = 0.999) double rate) {
        int sampled = 0;
        for (int i = 0; i < QUERIES; i++) {
            sampled += ConsistentSampling.isSampled("query-" + ((long) start + i), rate) ? 1 : 0;
        }
        assertWithinBinomialBounds(sampled, rate);
    }

    private static void assertWithinBinomialBounds(int sampled, double rate) {
        BinomialDistribution expected = new BinomialDistribution(null, QUERIES, rate);
        assertThat(sampled)
                .isBetween(
                        expected.inverseCumulativeProbability(1e-6), expected.inverseCumulativeProbability(1 - 1e-6));
    }
}
