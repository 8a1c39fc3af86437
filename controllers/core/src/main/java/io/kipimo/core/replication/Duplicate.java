package io.kipimo.core.replication;

/**
 * One of the servers that all work on the same requests.
 *
 * @param arrivalsPerSecond lambda, requests a second to this server, 0 or more
 * @param networkMillis mu_net, mean network latency between this server and the client, 0 or more
 */
public record Duplicate(ServiceTimes times, double arrivalsPerSecond, double networkMillis) {
    public Duplicate {
        atLeast0("arrivalsPerSecond", arrivalsPerSecond);
        atLeast0("networkMillis", networkMillis);
    }

    /** Utilisation of the server: rho = lambda * mu; 1 and above is overload. */
    public double utilisation() {
        return arrivalsPerSecond * times.meanMillis() / 1e3;
    }

    /** Mean queueing delay in milliseconds, {@code (1 + Cv^2) / 2 * rho / (1 - rho) * mu}; infinite when overloaded. */
    public double queueingMillis() {
        double rho = utilisation();
        if (rho >= 1) {
            return Double.POSITIVE_INFINITY;
        }
        double variation = times.coefficientOfVariation();
        return (1 + variation * variation) / 2 * rho / (1 - rho) * times.meanMillis();
    }

    /** tau_n, the part of the bound that remains for service; negative infinity when overloaded. */
    public double effectiveTauMillis(double tauMillis) {
        return tauMillis - queueingMillis() - networkMillis;
    }

    /**
     * Phi_n(tau_n), the share of requests that this server answers in time; 0 when it is overloaded, or when queue and
     * network use up the whole bound.
     */
    public double shareInTime(double tauMillis) {
        double effective = effectiveTauMillis(tauMillis);
        return effective > 0 ? times.shareAtMost(effective) : 0;
    }

    static void atLeast0(String name, double value) {
        if (!(value >= 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: finite, >= 0");
        }
    }
}
