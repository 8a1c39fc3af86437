package io.kipimo.labs.reproductions.rivals;

/**
 * The plugin {@code probabilistic-admitter} of llm-d-router with its defaults (2026). It refuses queries of lower
 * classes with probability {@code 300 s^5}. The saturation s is a fifth of the mean number of requests that wait at a
 * server.
 */
public record ProbabilisticAdmitter(double saturation) implements RivalLaw {
    private static final double FULL_QUEUE = 5;
    private static final int POWER = 5;
    private static final double FACTOR = 300;
    private static final double REFRESH_SECONDS = 0.05;

    public ProbabilisticAdmitter() {
        this(0);
    }

    @Override
    public ProbabilisticAdmitter after(Signals signals) {
        return new ProbabilisticAdmitter(signals.waiting() / FULL_QUEUE);
    }

    /** Probability with which a query is refused, 0..1. */
    double refused() {
        return Math.min(1, FACTOR * Math.pow(saturation, POWER));
    }

    @Override
    public boolean admits(Entry entry) {
        return entry.level() < 1 - refused();
    }

    @Override
    public double windowSeconds() {
        return REFRESH_SECONDS;
    }
}
