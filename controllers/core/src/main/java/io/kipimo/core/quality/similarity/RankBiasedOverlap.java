package io.kipimo.core.quality.similarity;

/**
 * Extrapolated rank-biased overlap of lists of any sizes, RBO_EXT (Webber, Moffat and Zobel, "A Similarity Measure for
 * Indefinite Rankings", 2010, eq. 32). With s and l the sizes of the shorter and the longer list and X_d their overlap
 * down to depth d:
 *
 * <pre>
 * (1-p)/p * (sum_{d=1..l} X_d/d p^d + sum_{d=s+1..l} X_s (d-s)/(s d) p^d)
 *     + ((X_l - X_s)/l + X_s/s) p^l
 * </pre>
 *
 * <p>Both lists count in full, without a cut-off; p is the probability that a reader continues to the next rank.
 */
record RankBiasedOverlap(String name, double p) implements Similarity {
    @Override
    public double of(Ranking online, Ranking mature) {
        Ranking shorter = online.size() <= mature.size() ? online : mature;
        Ranking longer = online.size() <= mature.size() ? mature : online;
        int s = shorter.size();
        int l = longer.size();
        int overlap = 0;
        int overlapAtS = 0;
        double power = 1;
        double sum = 0;
        for (int d = 1; d <= l; d++) {
            power *= p;
            long entering = longer.id(d - 1);
            if (shorter.hasInTop(entering, d)) {
                overlap++;
            }
            // If both sides have the same item, it is already counted.
            if (d <= s && longer.hasInTop(shorter.id(d - 1), d - 1)) {
                overlap++;
            }
            sum += (double) overlap / d * power;
            if (d == s) {
                overlapAtS = overlap;
            } else if (d > s) {
                sum += overlapAtS * (double) (d - s) / ((double) s * d) * power;
            }
        }
        return (1 - p) / p * sum + ((double) (overlap - overlapAtS) / l + (double) overlapAtS / s) * power;
    }
}
