package io.kipimo.core.quality.similarity;

import java.util.Arrays;
import java.util.Optional;

/** Number of items in the best k of both answers, divided by the size of one answer's best k, or of their union. */
record Overlap(String name, int k, Divisor divisor) implements Similarity {
    private enum Divisor {
        MATURE,
        ONLINE,
        EITHER
    }

    static Similarity truePositiveRate(String name, int k) {
        return new Overlap(name, k, Divisor.MATURE);
    }

    static Similarity precision(String name, int k) {
        return new Overlap(name, k, Divisor.ONLINE);
    }

    static Similarity jaccard(String name, int k) {
        return new Overlap(name, k, Divisor.EITHER);
    }

    @Override
    public double of(Ranking online, Ranking mature) {
        int onlineSize = Math.min(k, online.size());
        int shared = 0;
        for (int rank = 0; rank < onlineSize; rank++) {
            if (mature.hasInTop(online.id(rank), k)) {
                shared++;
            }
        }
        int matureSize = Math.min(k, mature.size());
        return (double) shared
                / switch (divisor) {
                    case MATURE -> matureSize;
                    case ONLINE -> onlineSize;
                    case EITHER -> onlineSize + matureSize - shared;
                };
    }

    @Override
    public Optional<double[]> itemShares(Ranking online, Ranking mature) {
        int best = Math.min(k, mature.size());
        boolean isFull = Math.min(k, online.size()) == best;
        return divisor == Divisor.MATURE || (divisor == Divisor.ONLINE && isFull)
                ? Optional.of(equalShares(best))
                : Optional.empty();
    }

    static double[] equalShares(int items) {
        double[] shares = new double[items];
        Arrays.fill(shares, 1.0 / items);
        return shares;
    }
}
