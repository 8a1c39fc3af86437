package io.kipimo.core.tails;

/**
 * Processing capacity of a tier's servers (sPARE, sec. V-A1).
 *
 * @param servers M, number of servers, at least 1
 * @param cores V, cores of one server, at least 1
 * @param demandMicros T, core-microseconds a request, above 0
 */
public record ServerCapacity(int servers, int cores, double demandMicros) {
    public ServerCapacity {
        BaselineEstimator.atLeastOne("servers", servers);
        BaselineEstimator.atLeastOne("cores", cores);
        above0("demandMicros", demandMicros);
    }

    /** Returns the capacity M * V * mu, where mu is 1 / T. */
    public double requestsPerSecond() {
        return (double) servers * cores * 1e6 / demandMicros;
    }

    /** Offered work as a part of the capacity; 1 and above is overload. */
    public double utilisation(double copiesPerSecond) {
        return copiesPerSecond / requestsPerSecond();
    }

    static void above0(String name, double value) {
        if (!(value > 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: above 0");
        }
    }
}
