package io.kipimo.core.sampling;

import org.apache.commons.math3.distribution.ChiSquaredDistribution;

/**
 * Tests whether the randomness of sampled queries is uniform, by Pearson's chi-square over {@value #BINS} bins of equal
 * width between the threshold and 2^56. It detects ids with a time or a counter in place of random bits before they
 * bias an estimate.
 */
public final class UniformityCheck {
    /** Number of bins to count into. */
    public static final int BINS = 64;

    /** Chi-square needs an expected count of at least this in each bin. */
    private static final int MINIMUM_EXPECTED = 5;

    /** Result of the test. */
    public enum UniformityVerdict {
        /** No evidence against uniform randomness. */
        UNIFORM,
        /** Uniform randomness would give such counts with a probability below the significance. */
        SKEWED,
        /** Fewer than five counts a bin on average: no verdict. */
        NOT_ENOUGH
    }

    private UniformityCheck() {}

    /**
     * The bin of a sampled query, 0..{@value #BINS} - 1.
     *
     * @param randomness {@link ConsistentSampling#randomness}, at least the threshold
     * @param threshold {@link ConsistentSampling#threshold} of the query's sampling rate
     * @throws IllegalArgumentException if the randomness is below the threshold or not below 2^56
     */
    public static int bin(long randomness, long threshold) {
        if (threshold < 0 || randomness < threshold || randomness >= ConsistentSampling.RANDOMNESS_RANGE) {
            throw new IllegalArgumentException(
                    "randomness is " + randomness + "; allowed: from the threshold " + threshold + " to 2^56 - 1");
        }
        double width = ConsistentSampling.RANDOMNESS_RANGE - threshold;
        return (int) Math.min(BINS - 1, (randomness - threshold) / width * BINS);
    }

    /**
     * The probability that uniform randomness gives counts at least as uneven, 0..1; 1 without counts.
     *
     * @param counts number of queries in each bin
     * @throws IllegalArgumentException if there are not {@value #BINS} counts or one is negative
     */
    public static double probability(long[] counts) {
        long total = total(counts);
        if (total == 0) {
            return 1;
        }
        double expected = (double) total / BINS;
        double chiSquare = 0;
        for (long count : counts) {
            chiSquare += (count - expected) * (count - expected) / expected;
        }
        return 1 - new ChiSquaredDistribution(null, BINS - 1).cumulativeProbability(chiSquare);
    }

    /**
     * The verdict on the counts.
     *
     * @param counts number of queries in each bin
     * @param significance accepted probability of SKEWED for uniform randomness, in (0, 1)
     * @throws IllegalArgumentException if there are not {@value #BINS} counts or one is negative
     */
    public static UniformityVerdict verdict(long[] counts, double significance) {
        if (total(counts) < (long) MINIMUM_EXPECTED * BINS) {
            return UniformityVerdict.NOT_ENOUGH;
        }
        return probability(counts) < significance ? UniformityVerdict.SKEWED : UniformityVerdict.UNIFORM;
    }

    private static long total(long[] counts) {
        if (counts.length != BINS) {
            throw new IllegalArgumentException(counts.length + " bins are counted; allowed: " + BINS);
        }
        long total = 0;
        for (long count : counts) {
            if (count < 0) {
                throw new IllegalArgumentException("a bin's count is " + count + "; allowed: >= 0");
            }
            total += count;
        }
        return total;
    }
}
