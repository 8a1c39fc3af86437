package io.kipimo.core.quality.fanout.model;

/** Maps the features of a query to rows of a hashed table, and evaluates what the table predicts. */
final class HashedFeatures {
    /** Limit of features of a query; further ones are ignored. */
    static final int MOST = 64;

    /** The golden ratio in 64 bits (Knuth, multiplicative hashing). */
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private HashedFeatures() {}

    static int count(long[] features) {
        return Math.min(MOST, features.length);
    }

    /** The row of a feature in a table of {@code 2^rowBits} rows. */
    static int row(long feature, int rowBits) {
        return rowBits == 0 ? 0 : (int) ((feature * FACTOR) >>> (64 - rowBits));
    }

    /** Turns logits into shares whose sum is 1, in place. */
    static void softmax(double[] logits) {
        double most = Double.NEGATIVE_INFINITY;
        for (double logit : logits) {
            most = Math.max(most, logit);
        }
        double sum = 0;
        for (int c = 0; c < logits.length; c++) {
            logits[c] = Math.exp(logits[c] - most);
            sum += logits[c];
        }
        for (int c = 0; c < logits.length; c++) {
            logits[c] /= sum;
        }
    }

    /** Indices of the components: first the one with the greatest share, then the others by descending share / cost. */
    static int[] order(double[] shares, double[] costs) {
        int[] order = new int[shares.length];
        int best = 0;
        for (int c = 1; c < order.length; c++) {
            best = shares[c] > shares[best] ? c : best;
        }
        order[0] = best;
        int filled = 1;
        for (int c = 0; c < order.length; c++) {
            if (c == best) {
                continue;
            }
            int at = filled++;
            // Insertion sort: components are few, and nothing is allocated.
            while (at > 1 && shares[order[at - 1]] * costs[c] < shares[c] * costs[order[at - 1]]) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = c;
        }
        return order;
    }
}
