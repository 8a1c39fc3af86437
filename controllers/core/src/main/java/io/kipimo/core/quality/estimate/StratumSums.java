package io.kipimo.core.quality.estimate;

/**
 * Count, sum and sum of squares of qualities; windows add these up.
 *
 * @param count of qualities
 * @param sum of qualities, each 0..1
 * @param sumOfSquares of qualities
 */
public record StratumSums(int count, double sum, double sumOfSquares) {
    /** No quality. */
    public static final StratumSums NONE = new StratumSums(0, 0, 0);

    private static final double ROUNDING = 1e-6;

    /**
     * Checks that qualities with these sums exist.
     *
     * @throws IllegalArgumentException if no {@code count} numbers within 0..1 have these sums
     */
    public StratumSums {
        if (!(count >= 0 && sumOfSquares >= 0 && sumOfSquares <= sum + ROUNDING && sum <= count + ROUNDING)) {
            throw new IllegalArgumentException("stratum has count "
                    + count
                    + ", sum "
                    + sum
                    + ", sum of squares "
                    + sumOfSquares
                    + "; allowed: those of qualities within 0..1");
        }
    }

    public StratumSums add(double quality) {
        return new StratumSums(count + 1, sum + quality, sumOfSquares + quality * quality);
    }

    public StratumSums plus(StratumSums other) {
        return new StratumSums(count + other.count, sum + other.sum, sumOfSquares + other.sumOfSquares);
    }

    /** These without some of them. */
    public StratumSums minus(StratumSums some) {
        int rest = Math.max(0, count - some.count);
        double restSum = Math.max(0, Math.min(rest, sum - some.sum));
        return new StratumSums(rest, restSum, Math.max(0, Math.min(restSum, sumOfSquares - some.sumOfSquares)));
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** Mean quality, 0..1; 0 without any. */
    public double mean() {
        return count == 0 ? 0 : Math.min(1, sum / count);
    }

    /** Variance of a sample, at most 1/2; 0 below two qualities. */
    public double variance() {
        return count < 2 ? 0 : Math.max(0, (sumOfSquares - sum * sum / count) / (count - 1));
    }

    public double standardDeviation() {
        return Math.sqrt(variance());
    }
}
