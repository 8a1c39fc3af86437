package io.kipimo.core.replication;

import io.kipimo.core.tails.ServerCapacity;
import java.util.ArrayList;
import java.util.List;

/**
 * Readings of all tiers of a service in one window.
 *
 * @param startMillis start of the window, event time, epoch milliseconds
 * @param endMillis end of the window, after the start
 * @param tiers readings of the tiers, first to last
 */
public record ReplicationReading(long startMillis, long endMillis, List<TierReading> tiers) {
    private static final double MILLIS = 1e3;

    /**
     * Standard deviations from which a difference of a window's work is not chance. The variance of the work is that of
     * the sum over a Poisson number of arrivals with exponential demands.
     */
    private static final double CHANCE = 3;

    public ReplicationReading {
        tiers = List.copyOf(tiers);
        if (endMillis <= startMillis) {
            throw new IllegalArgumentException(
                    "window ends at " + endMillis + "; allowed: after its start " + startMillis);
        }
        if (tiers.isEmpty()) {
            throw new IllegalArgumentException("tiers are none; allowed: at least one");
        }
    }

    long lengthMillis() {
        return endMillis - startMillis;
    }

    /**
     * Requests to each tier per request to the first, as if no tier above sent copies; empty without requests.
     *
     * @param inForce factors during the window
     */
    List<Double> fanOut(Factors inForce) {
        double first = tiers.get(0).requestsPerSecond();
        if (first == 0) {
            return List.of();
        }
        List<Double> fanOut = new ArrayList<>();
        for (int i = 0; i < tiers.size(); i++) {
            fanOut.add(tiers.get(i).requestsPerSecond() / inForce.amplification(0, i) / first);
        }
        return List.copyOf(fanOut);
    }

    /**
     * This window with the load that the factors would cause. In a window in which the factors changed, only the load
     * of the first tier is reliable, since no copies reach it.
     */
    ReplicationReading under(Factors factors, List<Double> fanOut) {
        double first = tiers.get(0).requestsPerSecond();
        List<TierReading> expected = new ArrayList<>();
        for (int i = 0; i < tiers.size(); i++) {
            expected.add(tiers.get(i).withRequests(first * fanOut.get(i) * factors.amplification(0, i)));
        }
        return new ReplicationReading(startMillis, endMillis, expected);
    }

    /** The feasible factors for the load of this window. */
    FeasibleSet feasible(Factors inForce, FeasibilityLimits limits) {
        List<TierLoad> loads = new ArrayList<>();
        for (int i = 0; i < tiers.size(); i++) {
            loads.add(tiers.get(i).withoutReplication(inForce.amplification(0, i)));
        }
        return new FeasibleSet(loads, limits);
    }

    /**
     * The feasible factors for the load of this window, with the extra load computed under average conditions: the
     * extra load is a budget over time, while stability must hold in every window.
     *
     * @param cautious whether the window's own load counts for the budget if it is higher than the average, as before a
     *     trial; otherwise it counts only if it exceeds what chance explains
     */
    FeasibleSet feasible(Factors inForce, FeasibilityLimits limits, Conditions average, boolean cautious) {
        FeasibleSet now = feasible(inForce, limits);
        double first = tiers.get(0).requestsPerSecond();
        if (first == 0 || average.demandMicros().isEmpty()) {
            return now;
        }
        double chance = cautious ? 0 : CHANCE * Math.sqrt(2 * MILLIS / (first * lengthMillis()));
        double usual = average.requestsPerSecond() / first;
        double change = usual * (1 + chance) < 1 ? 1 : usual;
        List<TierLoad> loads = new ArrayList<>();
        for (int i = 0; i < tiers.size(); i++) {
            TierLoad load = now.tiers().get(i);
            double demand = average.demandMicros().get(i);
            loads.add(new TierLoad(
                    new ServerCapacity(
                            load.servers().servers(),
                            load.servers().cores(),
                            cautious ? Math.max(demand, load.servers().demandMicros()) : demand),
                    load.tokens(),
                    load.requestsPerSecond() * change,
                    load.connectionsPerSecond() * change));
        }
        return new FeasibleSet(now.tiers(), loads, limits);
    }
}
