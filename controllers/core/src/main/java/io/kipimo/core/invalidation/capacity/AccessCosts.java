package io.kipimo.core.invalidation.capacity;

import io.kipimo.core.invalidation.Representation;
import java.io.Serializable;

/**
 * What a read costs, so that it can be told which form of a result is the cheaper one. A list of
 * ids is invalidated less often, but its records take further round trips.
 *
 * @param cacheMillis a round trip to the cache, above 0
 * @param originMillis a round trip to the origin, at least cacheMillis
 * @param parallelFetches records that a client fetches at a time, at least 1
 * @param invalidationMillis what an invalidation of a query costs beside the round trip, from 0:
 *     the origin evaluates it again, caches are purged, the whole result is sent. A record that
 *     changed costs the round trip alone
 */
public record AccessCosts(
        double cacheMillis, double originMillis, int parallelFetches, double invalidationMillis)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    public AccessCosts {
        if (!(cacheMillis > 0)
                || !(originMillis >= cacheMillis)
                || parallelFetches < 1
                || !(invalidationMillis >= 0)) {
            throw new IllegalArgumentException(
                    "cacheMillis "
                            + cacheMillis
                            + ", originMillis "
                            + originMillis
                            + ", parallelFetches "
                            + parallelFetches
                            + ", invalidationMillis "
                            + invalidationMillis
                            + "; allowed: above 0, from cacheMillis, from 1, from 0");
        }
    }

    /** Expected cost of a read of the whole result as objects. */
    public double objectListMillis(QueryDemand demand) {
        return queryMillis(
                demand.missFraction(demand.membershipChanges() + demand.contentChanges()));
    }

    /**
     * Expected cost of a read of the ids, and of all records after that: in rounds, each as slow as
     * its slowest fetch.
     *
     * @param records in the result
     * @param recordHitFraction of fetches of single records that a cache answers, 0..1
     */
    public double idListMillis(QueryDemand demand, int records, double recordHitFraction) {
        double millis = queryMillis(demand.missFraction(demand.membershipChanges()));
        int fullRounds = records / parallelFetches;
        int rest = records % parallelFetches;
        millis += fullRounds * roundMillis(parallelFetches, recordHitFraction);
        return rest == 0 ? millis : millis + roundMillis(rest, recordHitFraction);
    }

    /**
     * The form whose reads cost less (Quaestor, sec. 5, "Representing Query Results", which leaves
     * the model out).
     *
     * @param records in the result, from 0
     * @param current form, which stays unless the other is clearly better, so that the choice does
     *     not go to and fro: each change of it makes what is cached stale
     * @param hysteresis share of the current form's cost by which the other must be below it, 0..1
     */
    public Representation choose(
            QueryDemand demand, int records, Representation current, double hysteresis) {
        double objects = objectListMillis(demand);
        double ids =
                records == 0
                        ? objects
                        : idListMillis(demand, records, demand.recordHitFraction(records));
        if (current == Representation.ID_LIST) {
            return objects < ids * (1 - hysteresis)
                    ? Representation.OBJECT_LIST
                    : Representation.ID_LIST;
        }
        return ids < objects * (1 - hysteresis)
                ? Representation.ID_LIST
                : Representation.OBJECT_LIST;
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
