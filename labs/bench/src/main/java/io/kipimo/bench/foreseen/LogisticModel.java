package io.kipimo.bench.foreseen;

/**
 * An online logistic model of hashed features with adaptive steps (AdaGrad; Duchi, Hazan, Singer 2011). The fan-out's
 * learner takes too large steps for events. It fits shares of components, and each query shows the shares of all
 * components.
 */
final class LogisticModel {
    private static final int ROW_BITS = 16;

    /** The golden ratio in 64 bits (Knuth, multiplicative hashing). */
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private static final double RATE = 0.1;

    private final double[] weights = new double[1 << ROW_BITS];
    private final double[] squares = new double[1 << ROW_BITS];
    private double bias;
    private double biasSquares;
    private long learned;

    long learned() {
        return learned;
    }

    /** Probability of the event, or mean of the figure. */
    double predict(long[] features) {
        double logit = bias;
        for (long feature : features) {
            logit += weights[row(feature)];
        }
        return 1 / (1 + Math.exp(-logit));
    }

    /**
     * Learns one case.
     *
     * @param figure 0..1; of an event 0 or 1
     */
    void learn(long[] features, double figure) {
        double slope = predict(features) - figure;
        biasSquares += slope * slope;
        bias -= RATE * slope / Math.sqrt(1 + biasSquares);
        for (long feature : features) {
            int row = row(feature);
            squares[row] += slope * slope;
            weights[row] -= RATE * slope / Math.sqrt(1 + squares[row]);
        }
        learned++;
    }

    private static int row(long feature) {
        return (int) ((feature * FACTOR) >>> (Long.SIZE - ROW_BITS));
    }
}
