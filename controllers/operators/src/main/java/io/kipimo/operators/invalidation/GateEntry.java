package io.kipimo.operators.invalidation;

/**
 * What the gate knows of a query.
 *
 * @param id of its newest registration
 * @param cost of matching, at least 1
 * @param demand evaluations at the origin, each less by half every ten minutes
 * @param isIn whether it is matched
 * @param hitsSavedPerSecond by caching it, as it was told; below 0: it was not told yet
 * @param refusals since it was in last, or heard of first
 */
record GateEntry(
        QueryId id,
        long cost,
        double demand,
        boolean isIn,
        double hitsSavedPerSecond,
        int refusals) {
    private static final double HALF_LIFE_MILLIS = 600_000;
    private static final double MILLIS_PER_SECOND = 1000;

    static final double NOT_TOLD = -1;

    static GateEntry unknown(QueryId id, long cost) {
        return new GateEntry(id, cost, 0, false, NOT_TOLD, 0);
    }

    /** It was evaluated again. */
    GateEntry evaluated(QueryId again, long newCost) {
        return new GateEntry(
                again,
                newCost,
                1 + demandAt(again.registeredMillis()),
                isIn,
                hitsSavedPerSecond,
                refusals);
    }

    double demandAt(long millis) {
        long since = Math.max(0, millis - id.registeredMillis());
        return demand * Math.pow(0.5, since / HALF_LIFE_MILLIS);
    }

    /**
     * Hits that caching saves, a second. Until that is told, as many as there are evaluations: each
     * might have been a hit.
     */
    double worthAt(long millis) {
        return hitsSavedPerSecond >= 0
                ? hitsSavedPerSecond
                : demandAt(millis) * Math.log(2) / HALF_LIFE_MILLIS * MILLIS_PER_SECOND;
    }

    GateEntry saving(double hitsPerSecond) {
        return new GateEntry(id, cost, demand, isIn, hitsPerSecond, refusals);
    }

    GateEntry in() {
        return new GateEntry(id, cost, demand, true, hitsSavedPerSecond, 0);
    }

    GateEntry out() {
        return new GateEntry(id, cost, demand, false, hitsSavedPerSecond, refusals);
    }

    GateEntry refused() {
        return new GateEntry(id, cost, demand, false, hitsSavedPerSecond, refusals + 1);
    }
}
