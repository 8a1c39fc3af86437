package io.kipimo.labs.reproductions.rivals;

/**
 * Netflix concurrency-limits: {@code VegasLimit} with its defaults (commit 78a74b9, 2026-01), with the windows and
 * partitions of {@link Gradient2}. The original renews its latency without load at a random time, this class at the
 * mean of that time.
 *
 * @param limit of queries in flight
 * @param leastSeconds latency without load; 0: not known
 * @param probes number of windows since that latency was renewed
 */
public record Vegas(double limit, double leastSeconds, int probes) implements RivalLaw {
    private static final int INITIAL = 20;
    private static final int MOST = 1000;
    private static final double PROBE = 0.75 * 30;

    public Vegas() {
        this(INITIAL, 0, 0);
    }

    @Override
    public Vegas after(Signals signals) {
        double latency = signals.latencySeconds();
        if (signals.answered() < Gradient2.LEAST_ANSWERS) {
            return this;
        }
        if (PROBE * limit <= probes + 1) {
            return new Vegas(limit, latency, 0);
        }
        if (leastSeconds == 0 || latency < leastSeconds) {
            return new Vegas(limit, latency, probes + 1);
        }
        double next = Math.max(1, Math.min(MOST, limit + step(signals)));
        return new Vegas(next, leastSeconds, probes + 1);
    }

    private int step(Signals signals) {
        int log = Math.max(1, (int) Math.log10(limit));
        int queue = (int) Math.ceil(limit * (1 - leastSeconds / signals.latencySeconds()));
        if (signals.timeOutShare() > 0) {
            return -log;
        }
        if (signals.mostInFlight() * 2 < limit) {
            return 0;
        }
        return queue <= log ? 6 * log : queue < 3 * log ? log : queue > 6 * log ? -log : 0;
    }

    @Override
    public boolean admits(Entry entry) {
        return Gradient2.isWithin((int) limit, entry);
    }
}
