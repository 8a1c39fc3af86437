package io.kipimo.bench.foreseen;

/**
 * An online logistic model of hashed features with adaptive steps (AdaGrad; Duchi, Hazan, Singer 2011).
 *
 * <p>The fan-out's learner is not used here, because it takes too large steps for events. It is made to fit shares of
 * components, of which each query shows all.
 */
final class LogisticModel {
    private static final int ROW_BITS = 16;

    /** Factor of the hash: the golden ratio in 64 bits (Knuth, multiplicative hashing). */
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

    /** Predicted probability of the event, or predicted mean of the figure. */
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
     * @param figure 0..1; for an event 0 or 1
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
