package io.kipimo.core.invalidation.capacity;

import io.kipimo.core.invalidation.Representation;

/**
 * What a read costs a client, so that it can be told which form of a result is the cheaper one. A
 * list of ids is invalidated less often, but its records take further round trips.
 *
 * @param cacheMillis a round trip to the cache, above 0
 * @param originMillis a round trip to the origin, at least cacheMillis
 * @param parallelFetches records that a client fetches at a time, at least 1
 */
public record AccessCosts(double cacheMillis, double originMillis, int parallelFetches) {
    public AccessCosts {
        if (!(cacheMillis > 0) || !(originMillis >= cacheMillis) || parallelFetches < 1) {
            throw new IllegalArgumentException(
                    "cacheMillis "
                            + cacheMillis
                            + ", originMillis "
                            + originMillis
                            + ", parallelFetches "
                            + parallelFetches
                            + "; allowed: above 0, from cacheMillis, from 1");
        }
    }

    /** Expected time of a read of the whole result as objects. */
    public double objectListMillis(QueryDemand demand) {
        double invalidations = demand.membershipChanges() + demand.contentChanges();
        return expectedMillis(demand.missFraction(invalidations));
    }

    /**
     * Expected time of a read of the ids, and of all records after that: in rounds, each as slow as
     * its slowest fetch.
     *
     * @param records in the result
     * @param recordHitFraction of fetches of single records that a cache answers, 0..1
     */
    public double idListMillis(QueryDemand demand, int records, double recordHitFraction) {
        double millis = expectedMillis(demand.missFraction(demand.membershipChanges()));
        int fullRounds = records / parallelFetches;
        int rest = records % parallelFetches;
        millis += fullRounds * roundMillis(parallelFetches, recordHitFraction);
        return rest == 0 ? millis : millis + roundMillis(rest, recordHitFraction);
    }

    /** The form whose reads take less time; a list of objects if they are equal. */
    public Representation choose(QueryDemand demand, int records, double recordHitFraction) {
        return idListMillis(demand, records, recordHitFraction) < objectListMillis(demand)
                ? Representation.ID_LIST
                : Representation.OBJECT_LIST;
    }

    private double expectedMillis(double missFraction) {
        return missFraction * originMillis + (1 - missFraction) * cacheMillis;
    }

    private double roundMillis(int fetches, double hitFraction) {
        return expectedMillis(1 - Math.pow(hitFraction, fetches));
    }
}
