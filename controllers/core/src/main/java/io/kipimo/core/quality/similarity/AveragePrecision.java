package io.kipimo.core.quality.similarity;

import java.util.Optional;

/**
 * Average precision as trec_eval computes {@code map_cut_k}: the sum, over the ranks of the best k online items that
 * are relevant, of the precision down to that rank, divided by the number of relevant items. The best k mature items
 * are relevant.
 */
record AveragePrecision(String name, int k) implements Similarity {
    @Override
    public double of(Ranking online, Ranking mature) {
        int found = 0;
        double sum = 0;
        for (int rank = 0; rank < Math.min(k, online.size()); rank++) {
            if (mature.hasInTop(online.id(rank), k)) {
                found++;
                sum += (double) found / (rank + 1);
            }
        }
        return sum / Math.min(k, mature.size());
    }

    /** Equal shares: only relevant items are before a relevant one in such answers, so the precision there is 1. */
    @Override
    public Optional<double[]> itemShares(Ranking online, Ranking mature) {
        return Optional.of(Overlap.equalShares(Math.min(k, mature.size())));
    }
}
