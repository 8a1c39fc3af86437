package io.kipimo.core.replication;

/**
 * Waiting time at a server of V cores that its requests share. With Poisson arrivals the mean is that of an M/M/V
 * queue, {@code T * C(V, V rho) / (V (1 - rho))} with Erlang's C, for any distribution of demands (processor sharing is
 * insensitive to it). Zoolander's M/G/1 term assumes a server that works in order; it would discourage copies where
 * demands vary, although copies help there.
 */
final class SharedCores {
    private SharedCores() {}

    /**
     * Mean delay beyond the demand, in the unit of the demand; infinite at a utilisation of 1 and above.
     *
     * @param cores V, at least 1
     * @param utilisation rho, 0 or more
     * @param meanDemand T
     */
    public static double meanDelay(int cores, double utilisation, double meanDemand) {
        Zoolander.atLeast1("cores", cores);
        Duplicate.atLeast0("utilisation", utilisation);
        if (utilisation >= 1) {
            return Double.POSITIVE_INFINITY;
        }
        return meanDemand * waitingProbability(cores, cores * utilisation) / (cores * (1 - utilisation));
    }

    /** Erlang's C, computed from Erlang's B, whose recursion does not overflow. */
    private static double waitingProbability(int cores, double load) {
        double blocking = 1;
        for (int i = 1; i <= cores; i++) {
            blocking = load * blocking / (i + load * blocking);
        }
        return blocking / (1 - load / cores * (1 - blocking));
    }
}
