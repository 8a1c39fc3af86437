package io.kipimo.core.quality.similarity;

import java.util.Optional;

/** Share of the best mature items that the online answer has, weighted by 1 / rank in the mature answer (from 1). */
record WeightedOverlap(String name, int k) implements Similarity {
    @Override
    public double of(Ranking online, Ranking mature) {
        double found = 0;
        double all = 0;
        for (int rank = 0; rank < Math.min(k, mature.size()); rank++) {
            double weight = 1.0 / (rank + 1);
            all += weight;
            if (online.hasInTop(mature.id(rank), k)) {
                found += weight;
            }
        }
        return found / all;
    }

    @Override
    public Optional<double[]> itemShares(Ranking online, Ranking mature) {
        double[] shares = new double[Math.min(k, mature.size())];
        double all = 0;
        for (int rank = 0; rank < shares.length; rank++) {
            shares[rank] = 1.0 / (rank + 1);
            all += shares[rank];
        }
        for (int rank = 0; rank < shares.length; rank++) {
            shares[rank] /= all;
        }
        return Optional.of(shares);
    }
}
