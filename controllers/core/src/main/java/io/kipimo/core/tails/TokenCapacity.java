package io.kipimo.core.tails;

/**
 * Capacity of a tier's tokens (sPARE, sec. V-A2).
 *
 * @param servers M, number of servers, at least 1
 * @param tokens C, tokens of one server, at least 1
 * @param holdMicros T_K, mean time from a token's allocation to its release, above 0
 */
public record TokenCapacity(int servers, int tokens, double holdMicros) {
    public TokenCapacity {
        BaselineEstimator.atLeastOne("servers", servers);
        BaselineEstimator.atLeastOne("tokens", tokens);
        ServerCapacity.above0("holdMicros", holdMicros);
    }

    /** Returns the capacity M * C * mu_K, where mu_K is 1 / T_K. */
    public double connectionsPerSecond() {
        return (double) servers * tokens * 1e6 / holdMicros;
    }

    /** Share of the tokens in use; 1 and above is overload. */
    public double utilisation(double copiesPerSecond) {
        return copiesPerSecond / connectionsPerSecond();
    }

    /**
     * Returns the least sufficient number of tokens of a server: the smallest integer C &gt; lambda_conn * r_max / (M *
     * mu_K) (formula 5).
     *
     * @throws IllegalArgumentException if no int is that large, or an argument is out of range
     */
    public static int smallestTokens(double connectionsPerSecond, int greatestFactor, int servers, double holdMicros) {
        BaselineEstimator.atLeastOne("greatestFactor", greatestFactor);
        BaselineEstimator.atLeastOne("servers", servers);
        ServerCapacity.above0("holdMicros", holdMicros);
        double bound = connectionsPerSecond * greatestFactor * holdMicros / 1e6 / servers;
        if (!(bound >= 0 && bound < Integer.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "tokens needed are above " + bound + "; allowed: 0.." + Integer.MAX_VALUE);
        }
        return (int) Math.floor(bound) + 1;
    }
}
