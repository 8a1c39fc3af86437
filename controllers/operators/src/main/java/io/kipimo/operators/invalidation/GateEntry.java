package io.kipimo.operators.invalidation;

/**
 * State that {@link QueryGate} keeps for a query.
 *
 * @param id identity of its newest registration
 * @param cost cost of matching, at least 1
 * @param demand decayed number of evaluations at the origin; an evaluation loses half its weight in ten minutes
 * @param isAdmitted whether the query is admitted, so that it is matched against writes
 * @param hitsSavedPerSecond reported number of hits a second that caching the query saves; below 0: not reported yet
 * @param refusals number of refusals since the query was last admitted, or since its first registration
 */
record GateEntry(QueryId id, long cost, double demand, boolean isAdmitted, double hitsSavedPerSecond, int refusals) {
    private static final double HALF_LIFE_MILLIS = 600_000;
    private static final double MILLIS_PER_SECOND = 1000;

    static final double NOT_REPORTED = -1;

    static GateEntry unknown(QueryId id, long cost) {
        return new GateEntry(id, cost, 0, false, NOT_REPORTED, 0);
    }

    /** Returns the entry after another evaluation of the query at the origin. */
    GateEntry evaluated(QueryId again, long newCost) {
        return new GateEntry(
                again, newCost, 1 + demandAt(again.registeredMillis()), isAdmitted, hitsSavedPerSecond, refusals);
    }

    double demandAt(long millis) {
        long since = Math.max(0, millis - id.registeredMillis());
        return demand * Math.pow(0.5, since / HALF_LIFE_MILLIS);
    }

    /**
     * Returns the hits a second that caching saves. Until they are reported, the rate of evaluations at the origin
     * stands in for them, since each evaluation might have been a hit.
     */
    double worthAt(long millis) {
        return hitsSavedPerSecond >= 0
                ? hitsSavedPerSecond
                : demandAt(millis) * Math.log(2) / HALF_LIFE_MILLIS * MILLIS_PER_SECOND;
    }

    GateEntry saving(double hitsPerSecond) {
        return new GateEntry(id, cost, demand, isAdmitted, hitsPerSecond, refusals);
    }

    GateEntry admitted() {
        return new GateEntry(id, cost, demand, true, hitsSavedPerSecond, 0);
    }

    GateEntry notAdmitted() {
        return new GateEntry(id, cost, demand, false, hitsSavedPerSecond, refusals);
    }

    GateEntry refused() {
        return new GateEntry(id, cost, demand, false, hitsSavedPerSecond, refusals + 1);
    }
}
