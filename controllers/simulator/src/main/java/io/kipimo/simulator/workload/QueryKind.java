package io.kipimo.simulator.workload;

/**
 * Queries of similar cost, such as those of one word.
 *
 * @param demandFactor factor on the work of every request, above 0
 * @param skew how unevenly the query's items are spread over the partitions: Zipf's exponent, from 0 (evenly); which
 *     partition has the most differs for every query
 * @param cached share of the items that a cache has too, if the tier has caches, 0..1
 * @param predictedCost cost that the front end predicts, in any unit, above 0
 */
public record QueryKind(String name, double demandFactor, double skew, double cached, double predictedCost) {

    /** A kind whose cost is predicted exactly. */
    public QueryKind(String name, double demandFactor, double skew, double cached) {
        this(name, demandFactor, skew, cached, demandFactor);
    }

    public QueryKind {
        ModelChecks.above("demand factor of " + name, demandFactor, 0);
        ModelChecks.above("predicted cost of " + name, predictedCost, 0);
        ModelChecks.atLeast("skew of " + name, skew, 0);
        ModelChecks.fraction("cached share of " + name, cached);
    }
}
