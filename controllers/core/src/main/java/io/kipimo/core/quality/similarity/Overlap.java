package io.kipimo.core.quality.similarity;

import java.util.Arrays;
import java.util.Optional;

/** The number of items that are among the best k of both answers, divided by a number of items. */
final class Overlap implements Similarity {
    private enum Divisor {
        MATURE,
        ONLINE,
        EITHER
    }

    private final String name;
    private final int k;
    private final Divisor divisor;

    private Overlap(String name, int k, Divisor divisor) {
        this.name = name;
        this.k = k;
        this.divisor = divisor;
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
    public String name() {
        return name;
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
