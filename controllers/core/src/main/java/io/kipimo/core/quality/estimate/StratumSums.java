package io.kipimo.core.quality.estimate;

/**
 * Count, weights, sum and sum of squares of qualities; windows add these up. A quality of a sampled backlog counts in
 * the sums as often as its query's weight says.
 *
 * @param count number of qualities
 * @param sum sum of the qualities, each 0..1 times its weight
 * @param sumOfSquares sum of the squares of the qualities, each times its weight
 * @param weight sum of the weights, each at least 1
 * @param squaredWeight sum of the squares of the weights
 */
public record StratumSums(int count, double sum, double sumOfSquares, long weight, long squaredWeight) {
    /** Sums of no qualities. */
    public static final StratumSums NONE = new StratumSums(0, 0, 0);

    private static final double ROUNDING = 1e-6;

    /**
     * Checks that qualities with these sums exist.
     *
     * @param weight 0 in state that a version without weights stored: then each weight is 1
     * @throws IllegalArgumentException if no {@code count} numbers within 0..1 have these sums
     */
    public StratumSums {
        if (weight == 0) {
            weight = count;
            squaredWeight = count;
        }
        if (!(count >= 0
                && weight >= count
                && squaredWeight >= weight
                && sumOfSquares >= 0
                && sumOfSquares <= sum + ROUNDING
                && sum <= weight + ROUNDING)) {
            throw new IllegalArgumentException(
                    ("stratum has count %s, sum %s, sum of squares %s, weights %s and %s; allowed: those "
                                    + "of qualities within 0..1")
                            .formatted(count, sum, sumOfSquares, weight, squaredWeight));
        }
    }

    /** Sums of qualities that all have weight 1. */
    public StratumSums(int count, double sum, double sumOfSquares) {
        this(count, sum, sumOfSquares, count, count);
    }

    public StratumSums add(double quality) {
        return add(quality, 1);
    }

    /** These sums plus one quality that stands for {@code queries} queries, at least 1. */
    public StratumSums add(double quality, int queries) {
        return new StratumSums(
                count + 1,
                sum + queries * quality,
                sumOfSquares + queries * quality * quality,
                weight + queries,
                squaredWeight + (long) queries * queries);
    }

    public StratumSums plus(StratumSums other) {
        return new StratumSums(
                count + other.count,
                sum + other.sum,
                sumOfSquares + other.sumOfSquares,
                weight + other.weight,
                squaredWeight + other.squaredWeight);
    }

    /** These sums without {@code some} of their qualities. */
    public StratumSums minus(StratumSums some) {
        int rest = Math.max(0, count - some.count);
        if (rest == 0) {
            return NONE;
        }
        long restWeight = Math.max(rest, weight - some.weight);
        double restSum = Math.max(0, Math.min((double) restWeight, sum - some.sum));
        return new StratumSums(
                rest,
                restSum,
                Math.max(0, Math.min(restSum, sumOfSquares - some.sumOfSquares)),
                restWeight,
                Math.max(restWeight, squaredWeight - some.squaredWeight));
    }

    /**
     * Sums of as many qualities of weight 1 as carry the same information, with the same mean. Their number is the
     * square of the sum of the weights, divided by the sum of their squares (Kish, "Survey Sampling", 1965, sec. 11.7).
     * It is then reduced by what the correction for a finite population would take off the variance. That correction
     * assumes equal weights, but the greatest weights belong to the qualities that are known least.
     */
    public StratumSums effective() {
        if (weight == count) {
            return this;
        }
        double kish = (double) weight * weight / squaredWeight;
        int equal = (int) Math.max(1, Math.floor(kish * weight / (kish + weight) + ROUNDING));
        double share = (double) equal / weight;
        return new StratumSums(equal, sum * share, sumOfSquares * share);
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** Mean quality, 0..1; 0 without any. */
    public double mean() {
        return count == 0 ? 0 : Math.min(1, sum / weight);
    }

    /** Sample variance of the qualities, at most 1/2; 0 if there are fewer than two. */
    public double variance() {
        return count < 2
                ? 0
                : Math.max(0, (sumOfSquares - sum * sum / weight) / (weight - (double) squaredWeight / weight));
    }

    public double standardDeviation() {
        return Math.sqrt(variance());
    }
}
