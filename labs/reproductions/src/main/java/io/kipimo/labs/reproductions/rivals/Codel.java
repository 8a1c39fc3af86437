package io.kipimo.labs.reproductions.rivals;

/**
 * Controlled delay (Nichols, Jacobson) as in folly's {@code executors/Codel}. A server is overloaded if for 100 ms each
 * of its requests waited more than 5 ms. It then sheds the requests that wait longer than 10 ms. Here the front end
 * sheds queries of the lower classes instead, by the mean wait of the last 100 ms.
 */
public record Codel(boolean isOverloaded, double queueSeconds) implements RivalLaw {
    private static final double TARGET_SECONDS = 0.005;
    private static final double INTERVAL_SECONDS = 0.1;

    public Codel() {
        this(false, 0);
    }

    @Override
    public Codel after(Signals signals) {
        return new Codel(signals.leastQueueSeconds() > TARGET_SECONDS, signals.queueSeconds());
    }

    @Override
    public boolean admits(Entry entry) {
        return !isOverloaded || queueSeconds <= 2 * TARGET_SECONDS;
    }

    @Override
    public double windowSeconds() {
        return INTERVAL_SECONDS;
    }
}
