package io.kipimo.core.replication;

import java.util.ArrayList;
import java.util.List;

/**
 * A window of the whole service.
 *
 * @param startMillis event time, epoch milliseconds
 * @param endMillis after the start
 * @param tiers first to last
 */
public record ReplicationReading(long startMillis, long endMillis, List<TierReading> tiers) {
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
     * How many requests of each tier come of one of the first, if no tier above sent copies; empty
     * without requests.
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
     * What this window would have had to carry under the factors: of windows in which factors
     * changed, only the first tier tells the load, since no copies come to it.
     */
    ReplicationReading under(Factors factors, List<Double> fanOut) {
        double first = tiers.get(0).requestsPerSecond();
        List<TierReading> expected = new ArrayList<>();
        for (int i = 0; i < tiers.size(); i++) {
            expected.add(
                    tiers.get(i).withRequests(first * fanOut.get(i) * factors.amplification(0, i)));
        }
        return new ReplicationReading(startMillis, endMillis, expected);
    }

    /** Where factors may be, given what this window had to carry under those in force. */
    FeasibleSet feasible(Factors inForce, FeasibilityLimits limits) {
        List<TierLoad> loads = new ArrayList<>();
        for (int i = 0; i < tiers.size(); i++) {
            loads.add(tiers.get(i).withoutReplication(inForce.amplification(0, i)));
        }
        return new FeasibleSet(loads, limits);
    }
}
