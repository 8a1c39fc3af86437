package io.kipimo.core.quality.similarity;

/**
 * Normalised discounted cumulative gain (Järvelin and Kekäläinen, 2002) as trec_eval computes {@code ndcg_cut_k}:
 * {@code DCG = sum of gain / log2(rank + 1)} over the best k online items, divided by the DCG of the mature answer. The
 * mature item at rank r (from 1) has relevance {@code k - r + 1}; items outside the best k mature ones have none. The
 * gain is the relevance, or 2^relevance - 1.
 */
final class DiscountedGain implements Similarity {
    private final String name;

    /** Gain of the mature item by rank from 0. */
    private final double[] gains;

    /** 1 / log2(rank + 1), by rank from 0. */
    private final double[] discounts;

    private DiscountedGain(String name, double[] gains) {
        this.name = name;
        this.gains = gains;
        this.discounts = new double[gains.length];
        for (int rank = 0; rank < gains.length; rank++) {
            discounts[rank] = Math.log(2) / Math.log(rank + 2.0);
        }
    }

    static Similarity linear(String name, int k) {
        double[] gains = new double[k];
        for (int rank = 0; rank < k; rank++) {
            gains[rank] = k - rank;
        }
        return new DiscountedGain(name, gains);
    }

    /** All gains are divided by 2^k against overflow; the factor cancels. */
    static Similarity exponential(String name, int k) {
        double[] gains = new double[k];
        for (int rank = 0; rank < k; rank++) {
            gains[rank] = Math.scalb(1.0, -rank) - Math.scalb(1.0, -k);
        }
        return new DiscountedGain(name, gains);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double of(Ranking online, Ranking mature) {
        int k = gains.length;
        double gained = 0;
        for (int rank = 0; rank < Math.min(k, online.size()); rank++) {
            int matureRank = mature.rankOf(online.id(rank));
            if (matureRank >= 0 && matureRank < k) {
                gained += gains[matureRank] * discounts[rank];
            }
        }
        double ideal = 0;
        for (int rank = 0; rank < Math.min(k, mature.size()); rank++) {
            ideal += gains[rank] * discounts[rank];
        }
        return gained / ideal;
    }
}
