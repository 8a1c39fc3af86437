package io.kipimo.core.quality.similarity;

/** True positives weighted by 1 / rank in the mature answer, ranks from 1. */
final class WeightedOverlap implements Similarity {
    private final String name;
    private final int k;

    WeightedOverlap(String name, int k) {
        this.name = name;
        this.k = k;
    }

    @Override
    public String name() {
        return name;
    }

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
}
