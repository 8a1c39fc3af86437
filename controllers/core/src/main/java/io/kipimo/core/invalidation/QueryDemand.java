package io.kipimo.core.invalidation;

/**
 * Rates of a query's reads and of changes of its result. Reads and invalidations are modelled as Poisson processes,
 * like writes in the paper (sec. 4.2). All rates are per second, at least 0.
 *
 * @param reads reads of the query
 * @param membershipChanges records that enter or leave the result, or move in it
 * @param contentChanges records that change and stay
 */
record QueryDemand(double reads, double membershipChanges, double contentChanges) {
    public QueryDemand {
        atLeastZero("reads", reads);
        atLeastZero("membershipChanges", membershipChanges);
        atLeastZero("contentChanges", contentChanges);
    }

    private static void atLeastZero(String name, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " " + value + "; allowed: from 0");
        }
    }

    /**
     * Share of reads that find the result invalidated, 0..1. These are the first reads after each invalidation. With i
     * invalidations and r reads a second the share is i / (i + r); it is 1 if the query is never read.
     */
    public double missFraction(double invalidations) {
        return reads == 0 ? 1 : invalidations / (invalidations + reads);
    }

    /**
     * Share of fetches of single records that a cache answers, 0..1; 0 if the query is never read. Assumes that only
     * this query's reads fetch its records, and that changes are spread evenly over the records. Reads by other queries
     * increase the share.
     *
     * @param records number of records in the result, at least 1
     */
    public double recordHitFraction(int records) {
        return 1 - missFraction(contentChanges / records);
    }

    /**
     * Reads a second that a cache answers instead of the origin: r - r i / (i + r), for r reads and i invalidations a
     * second.
     */
    public double hitsSaved(double invalidations) {
        return reads * (1 - missFraction(invalidations));
    }
}
