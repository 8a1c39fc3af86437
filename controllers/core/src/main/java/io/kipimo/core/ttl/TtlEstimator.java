package io.kipimo.core.ttl;

/**
 * Estimates times to live. It models the writes to each record as a Poisson process. The time to the next change of a
 * result of n records is then exponential with the sum of their rates, and its quantile at p is {@code -ln(1 - p) /
 * rate} (Quaestor, sec. 4.2, eq. 1). An invalidation shows how long the result was valid, and updates the estimate to
 * {@code alpha * old + (1 - alpha) * actual} (eq. 2). Only durations count, so clocks may differ. Pure functions.
 *
 * <p>Here, {@code actual} is the time from the first read of the result to its invalidation. The paper uses the last
 * read, which is the same if caches keep later reads from the origin. While a key is in the filter, however, every
 * client revalidates it. Then the last read always comes shortly before the invalidation. Estimates would approach
 * zero, although results stay valid as long as before.
 *
 * <p>The smoothed value is the mean time to the next change. Every quantile is a multiple of it.
 *
 * <p>With a loss budget a change is not a total loss. A result that is read at a random time within its time to live T
 * lacks a change with probability {@code 1 - (1 - exp(-x)) / x}, x = rate * T. T is the longest time for which this
 * probability times the loss of a change stays within the budget. Further changes within T count as free, which holds
 * for small x.
 */
public final class TtlEstimator {
    private static final double MILLIS_PER_SECOND = 1000;
    private static final long UNREAD = Long.MAX_VALUE;
    private static final int BISECTIONS = 60;

    /** Upper bound of the search for x. At this bound, all but about one read in this many are stale. */
    private static final double LARGEST_X = 1e6;

    private final TtlSettings settings;
    private final double quantile;

    public TtlEstimator(TtlSettings settings) {
        this.settings = settings;
        this.quantile = -Math.log1p(-settings.changeProbability());
    }

    /**
     * Time to live of one record.
     *
     * @param writesPerSecond writes of the record a second
     */
    public long recordMillis(double writesPerSecond) {
        return bounded(MILLIS_PER_SECOND / writesPerSecond, 1);
    }

    /**
     * Updates the state after a read.
     *
     * @param before null at the first read
     * @param writesPerSecond sum of the rates of the records in its result
     */
    public CachedQuery read(CachedQuery before, double writesPerSecond, long nowMillis) {
        double fromRates = MILLIS_PER_SECOND / writesPerSecond;
        if (before == null || isForgotten(before, nowMillis)) {
            return new CachedQuery(fromRates, false, nowMillis, nowMillis, 1, 0);
        }
        return new CachedQuery(
                before.isLearnt() ? before.meanMillis() : fromRates,
                before.isLearnt(),
                Math.min(before.firstReadMillis(), nowMillis),
                Math.max(before.lastReadMillis(), nowMillis),
                before.lossPerChange(),
                before.invalidations());
    }

    /**
     * Updates the state after a change of the result. A change without a read since the previous change has no effect,
     * since it does not show how long a result was valid.
     *
     * @param similarity of the stale result to the fresh one, 0..1; 0 if it was not compared
     */
    public CachedQuery invalidated(CachedQuery before, double similarity, long nowMillis) {
        CachedQuery after = invalidated(before, nowMillis);
        return after.invalidations() == before.invalidations() ? before : compared(after, similarity);
    }

    /**
     * Updates the state after a change whose fresh result is not known yet; call {@link #compared} once it is known.
     */
    public CachedQuery invalidated(CachedQuery before, long nowMillis) {
        if (before.firstReadMillis() > nowMillis) {
            return before;
        }
        double actual = nowMillis - before.firstReadMillis();
        // An infinite estimate would absorb every update, so it is bounded first.
        double old = Math.min(before.meanMillis(), settings.longestMillis() / multiple(before));
        return new CachedQuery(
                smoothed(old, actual),
                true,
                UNREAD,
                before.lastReadMillis(),
                before.lossPerChange(),
                before.invalidations() + 1);
    }

    /**
     * Adds the loss of the last change.
     *
     * @param similarity similarity of the result before the change to the result after it, 0..1
     */
    public CachedQuery compared(CachedQuery changed, double similarity) {
        double loss = 1 - similarity;
        return new CachedQuery(
                changed.meanMillis(),
                changed.isLearnt(),
                changed.firstReadMillis(),
                changed.lastReadMillis(),
                changed.invalidations() <= 1 ? loss : smoothed(changed.lossPerChange(), loss),
                changed.invalidations());
    }

    /** Writes of the query's records a second, according to its estimate. */
    static double writesPerSecond(CachedQuery query) {
        return MILLIS_PER_SECOND / query.meanMillis();
    }

    /** Time to live to hand out with the query's result, milliseconds. */
    public long queryMillis(CachedQuery query) {
        return bounded(query.meanMillis(), query.lossPerChange());
    }

    /** Whether the last read is so long ago that the state is of no use. */
    public boolean isForgotten(CachedQuery query, long nowMillis) {
        return nowMillis - query.lastReadMillis() > settings.forgetAfterMillis();
    }

    private double smoothed(double old, double actual) {
        return settings.smoothing() * old + (1 - settings.smoothing()) * actual;
    }

    private long bounded(double meanMillis, double lossPerChange) {
        double millis = meanMillis * multiple(lossPerChange);
        return millis >= settings.longestMillis()
                ? settings.longestMillis()
                : Math.max(settings.shortestMillis(), (long) millis);
    }

    private double multiple(CachedQuery query) {
        return multiple(query.lossPerChange());
    }

    /** Time to live divided by the mean time to the next change. */
    private double multiple(double lossPerChange) {
        return settings.lossBudget() > 0 ? withinBudget(settings.lossBudget() / lossPerChange) : quantile;
    }

    /** Largest x at which a share of at most {@code share} of the reads misses a change. */
    private static double withinBudget(double share) {
        if (!(share < staleShare(LARGEST_X))) {
            return LARGEST_X;
        }
        double low = 0;
        double high = LARGEST_X;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (staleShare(middle) <= share) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Share of reads, spread evenly over a time to live of x mean times, that miss a change. */
    static double staleShare(double x) {
        return x < 1e-6 ? x / 2 : 1 + Math.expm1(-x) / x;
    }
}
