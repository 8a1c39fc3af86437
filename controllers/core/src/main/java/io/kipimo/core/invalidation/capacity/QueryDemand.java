package io.kipimo.core.invalidation.capacity;

/**
 * How a query is read, and how its result changes. Reads and invalidations are taken for Poisson
 * processes, as the paper takes writes (sec. 4.2); all rates a second, from 0.
 *
 * @param reads of the query
 * @param membershipChanges records that enter or leave the result, or move in it
 * @param contentChanges records that change and stay
 */
public record QueryDemand(double reads, double membershipChanges, double contentChanges) {
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
     * The part of reads that finds the result invalidated: that of the first read after each
     * invalidation, i / (i + r). 0..1; 1 if it is never read.
     */
    public double missFraction(double invalidations) {
        return reads == 0 ? 1 : invalidations / (invalidations + reads);
    }

    /**
     * The part of fetches of single records that a cache answers, if only this query's reads fetch
     * them, each of its records, and its changes are spread evenly over them: others' reads only
     * make it more. 0..1; 0 if it is never read.
     *
     * @param records in the result, at least 1
     */
    public double recordHitFraction(int records) {
        return 1 - missFraction(contentChanges / records);
    }

    /** Reads a second that a cache answers in the origin's stead: r - r i / (i + r). */
    public double hitsSaved(double invalidations) {
        return reads * (1 - missFraction(invalidations));
    }
}
