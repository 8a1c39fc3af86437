package io.kipimo.operators.invalidation;

/**
 * What the gate knows of a query.
 *
 * @param id of its newest registration
 * @param cost of matching, at least 1
 * @param demand evaluations at the origin, each less by half every ten minutes
 * @param isIn whether it is matched
 */
record GateEntry(QueryId id, long cost, double demand, boolean isIn) {
    private static final double HALF_LIFE_MILLIS = 600_000;

    static GateEntry unknown(QueryId id, long cost) {
        return new GateEntry(id, cost, 0, false);
    }

    /** It was evaluated again. */
    GateEntry evaluated(QueryId again, long newCost) {
        return new GateEntry(again, newCost, 1 + demandAt(again.registeredMillis()), isIn);
    }

    double demandAt(long millis) {
        long since = Math.max(0, millis - id.registeredMillis());
        return demand * Math.pow(0.5, since / HALF_LIFE_MILLIS);
    }

    GateEntry with(boolean in) {
        return new GateEntry(id, cost, demand, in);
    }
}
