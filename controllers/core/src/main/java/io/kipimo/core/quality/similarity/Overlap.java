package io.kipimo.core.quality.similarity;

/**
 * Functions of three sizes: the best k online items, the best k mature items, and their
 * intersection.
 */
final class Overlap implements Similarity {
    private interface Quotient {
        double of(int shared, int online, int mature);
    }

    private final String name;
    private final int k;
    private final Quotient quotient;

    private Overlap(String name, int k, Quotient quotient) {
        this.name = name;
        this.k = k;
        this.quotient = quotient;
    }

    static Similarity truePositiveRate(String name, int k) {
        return new Overlap(name, k, (shared, online, mature) -> (double) shared / mature);
    }

    static Similarity precision(String name, int k) {
        return new Overlap(name, k, (shared, online, mature) -> (double) shared / online);
    }

    static Similarity jaccard(String name, int k) {
        return new Overlap(
                name, k, (shared, online, mature) -> (double) shared / (online + mature - shared));
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
        return quotient.of(shared, onlineSize, Math.min(k, mature.size()));
    }
}
