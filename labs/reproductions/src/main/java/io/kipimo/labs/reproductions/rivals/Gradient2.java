package io.kipimo.labs.reproductions.rivals;

/**
 * Netflix concurrency-limits: {@code Gradient2Limit} in a {@code WindowedLimit} of a second, with defaults (commit
 * 78a74b9, 2026-01). The lower classes are a partition with a tenth of the limit, as in its guide for live and batch
 * traffic.
 *
 * @param least lower bound of the limit; the default, 20, is the concurrency of a second's load at a fifth of a second
 * @param limit of queries in flight
 * @param longSeconds long-term mean latency
 * @param windows number of windows so far in {@code longSeconds}
 */
public record Gradient2(int least, double limit, double longSeconds, int windows) implements RivalLaw {
    private static final int INITIAL = 20;
    private static final int MOST = 200;
    private static final int QUEUE = 4;
    private static final double SMOOTHING = 0.2;
    private static final double TOLERANCE = 1.5;
    private static final int WARM_UP = 10;
    private static final double LONG_WEIGHT = 2.0 / 601;
    private static final double LOWER_PART = 0.1;

    /** Least number of answers of a window that counts. */
    static final int LEAST_ANSWERS = 10;

    public Gradient2(int least) {
        this(least, INITIAL, 0, 0);
    }

    @Override
    public Gradient2 after(Signals signals) {
        if (signals.answered() < LEAST_ANSWERS) {
            return this;
        }
        double weight = windows < WARM_UP ? 1.0 / (windows + 1) : LONG_WEIGHT;
        double longer = longSeconds + weight * (signals.latencySeconds() - longSeconds);
        double kept = longer > 2 * signals.latencySeconds() ? 0.95 * longer : longer;
        if (signals.mostInFlight() < limit / 2) {
            return new Gradient2(least, limit, kept, windows + 1);
        }
        double gradient = Math.max(0.5, Math.min(1, TOLERANCE * longer / signals.latencySeconds()));
        double next = (1 - SMOOTHING) * limit + SMOOTHING * (gradient * limit + QUEUE);
        return new Gradient2(least, Math.max(least, Math.min(MOST, next)), kept, windows + 1);
    }

    @Override
    public boolean admits(Entry entry) {
        return isWithin((int) limit, entry);
    }

    /**
     * Returns whether a query keeps within the limit. The lower classes may exceed their part while the whole limit is
     * not reached.
     */
    static boolean isWithin(int limit, Entry entry) {
        return entry.inFlight() < limit || entry.lowerInFlight() < Math.ceil(LOWER_PART * limit);
    }
}
