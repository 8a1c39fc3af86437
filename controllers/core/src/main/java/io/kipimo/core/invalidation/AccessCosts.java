package io.kipimo.core.invalidation;

import java.io.Serializable;

/**
 * Cost model of reads. It tells which form of a cached query result is cheaper: its records, or only their ids
 * ({@link Representation}). A list of ids is invalidated less often, but its records need further round trips.
 *
 * @param cacheMillis duration of a round trip to the cache, above 0
 * @param originMillis duration of a round trip to the origin, at least cacheMillis
 * @param parallelFetches number of records that a client fetches in parallel, at least 1
 * @param invalidationMillis cost of an invalidated query beside the round trip, at least 0: evaluation at the origin,
 *     purges of caches, transfer of the whole result. The read of a single changed record costs the round trip only
 */
public record AccessCosts(double cacheMillis, double originMillis, int parallelFetches, double invalidationMillis)
        implements Serializable {
    public AccessCosts {
        if (!(cacheMillis > 0) || !(originMillis >= cacheMillis) || parallelFetches < 1 || !(invalidationMillis >= 0)) {
            throw new IllegalArgumentException(
                    ("cacheMillis %s, originMillis %s, parallelFetches %s, invalidationMillis %s; "
                                    + "allowed: above 0, from cacheMillis, from 1, from 0")
                            .formatted(cacheMillis, originMillis, parallelFetches, invalidationMillis));
        }
    }

    /** Expected cost, in milliseconds, of a read of the result if its records are cached as one list. */
    public double objectListMillis(QueryDemand demand) {
        return queryMillis(demand.missFraction(demand.membershipChanges() + demand.contentChanges()));
    }

    /**
     * Expected cost, in milliseconds, of a read that fetches the ids and then all records, in rounds of
     * {@code parallelFetches}. Each round takes as long as its slowest fetch.
     *
     * @param records number of records in the result
     * @param recordHitFraction share of fetches of single records that a cache answers, 0..1
     */
    public double idListMillis(QueryDemand demand, int records, double recordHitFraction) {
        double millis = queryMillis(demand.missFraction(demand.membershipChanges()));
        int fullRounds = records / parallelFetches;
        int rest = records % parallelFetches;
        millis += fullRounds * roundMillis(parallelFetches, recordHitFraction);
        return rest == 0 ? millis : millis + roundMillis(rest, recordHitFraction);
    }

    /**
     * Chooses the form of a result whose reads cost less. The choice is that of Quaestor, sec. 4.2, "Representing Query
     * Results"; the paper does not give its model.
     *
     * @param records number of records in the result, at least 0
     * @param current current form; it is kept unless the other form is clearly better, since each change of form makes
     *     cached results stale
     * @param hysteresis least saving that justifies a change of form, as a share of the current form's cost, 0..1
     */
    public Representation choose(QueryDemand demand, int records, Representation current, double hysteresis) {
        double objects = objectListMillis(demand);
        double ids = records == 0 ? objects : idListMillis(demand, records, demand.recordHitFraction(records));
        if (current == Representation.ID_LIST) {
            return objects < ids * (1 - hysteresis) ? Representation.OBJECT_LIST : Representation.ID_LIST;
        }
        return ids < objects * (1 - hysteresis) ? Representation.ID_LIST : Representation.OBJECT_LIST;
    }

    private double queryMillis(double missFraction) {
        return expectedMillis(missFraction) + missFraction * invalidationMillis;
    }

    private double expectedMillis(double missFraction) {
        return missFraction * originMillis + (1 - missFraction) * cacheMillis;
    }

    private double roundMillis(int fetches, double hitFraction) {
        return expectedMillis(1 - Math.pow(hitFraction, fetches));
    }
}
