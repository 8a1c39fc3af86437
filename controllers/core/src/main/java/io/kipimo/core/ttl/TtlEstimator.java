package io.kipimo.core.ttl;

/**
 * Times to live. Writes to each record are taken for a Poisson process, so the time to the next
 * change of a result of n records is exponential with the sum of their rates, and its quantile at p
 * is {@code -ln(1 - p) / rate} (Quaestor, sec. 4.2, eq. 1). An invalidation shows how long the
 * result really held, which moves the estimate: {@code alpha * old + (1 - alpha) * actual} (eq. 2).
 * Only spans of time count, so clocks need not agree. Pure.
 *
 * <p>Actual is the time from the first read of the result to its invalidation. The paper takes the
 * last read, which is the same where caches keep reads from the origin; where they do not, as while
 * a key is in the filter and every client revalidates it, the last read comes shortly before any
 * invalidation, and estimates fall to nothing although results hold as long as ever.
 *
 * <p>What is smoothed is the mean time to the next change, of which every quantile is a multiple.
 *
 * <p>With a loss budget a change is not taken for a total loss: a result that is read at any moment
 * of its time to live T lacks a change with probability {@code 1 - (1 - exp(-x)) / x}, x = rate *
 * T; T is the longest at which that, times what a change costs, stays within the budget. Further
 * changes within T are taken to cost nothing more, which holds while x is small.
 */
public final class TtlEstimator {
    private static final double MILLIS_PER_SECOND = 1000;
    private static final long UNREAD = Long.MAX_VALUE;
    private static final int BISECTIONS = 60;

    /** Where a result is stale in all but one of this many reads. */
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
     * @param writesPerSecond of it
     */
    public long recordMillis(double writesPerSecond) {
        return bounded(MILLIS_PER_SECOND / writesPerSecond, 1);
    }

    /**
     * A query was read.
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
     * The result has changed. A change that comes before anybody has read what the last one left
     * shows nothing.
     *
     * @param similarity of the stale result to the fresh one, 0..1; 0 if it was not compared
     */
    public CachedQuery invalidated(CachedQuery before, double similarity, long nowMillis) {
        CachedQuery after = invalidated(before, nowMillis);
        return after.invalidations() == before.invalidations()
                ? before
                : compared(after, similarity);
    }

    /** The same, before the fresh result is known; then {@link #compared}. */
    public CachedQuery invalidated(CachedQuery before, long nowMillis) {
        if (before.firstReadMillis() > nowMillis) {
            return before;
        }
        double actual = nowMillis - before.firstReadMillis();
        // The longest stands for what is infinite, lest nothing could be learnt.
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
     * What the last change cost is known now.
     *
     * @param similarity of the result before it to the one after it, 0..1
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

    /** Of the query's records, as its estimate has it. */
    static double writesPerSecond(CachedQuery query) {
        return MILLIS_PER_SECOND / query.meanMillis();
    }

    /** What is handed out with the query's result now. */
    public long queryMillis(CachedQuery query) {
        return bounded(query.meanMillis(), query.lossPerChange());
    }

    /** Whether nobody has read the query for so long that what is known of it is of no use. */
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

    /** Time to live over mean time to the next change. */
    private double multiple(double lossPerChange) {
        return settings.lossBudget().isPresent()
                ? withinBudget(settings.lossBudget().getAsDouble() / lossPerChange)
                : quantile;
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
