package io.kipimo.labs.reproductions.rivals;

/**
 * Zhou et al., "Overload Control for Scaling WeChat Microservices" (DAGOR, 2018), sec. 4.2: a service is overloaded if
 * its requests waited longer than 20 ms on average in the last second. Then 5 % fewer queries are expected, else 1 %
 * more, and the level of admission is where the last second's arrivals, by priority, reach that many.
 *
 * @param level of admission, 0..1
 */
public record Dagor(double level) implements RivalLaw {
    private static final double OVERLOADED_SECONDS = 0.02;
    private static final double FEWER = 0.05;
    private static final double MORE = 0.01;

    public Dagor() {
        this(1);
    }

    @Override
    public Dagor after(Signals signals) {
        long lower = signals.offered() - signals.offeredHigh();
        if (lower == 0) {
            return this;
        }
        double expected = signals.queueSeconds() > OVERLOADED_SECONDS
                ? (1 - FEWER) * signals.admitted()
                : signals.admitted() + MORE * signals.offered();
        return new Dagor(Math.max(0, Math.min(1, (expected - signals.offeredHigh()) / lower)));
    }

    @Override
    public boolean admits(Entry entry) {
        return entry.level() < level;
    }
}
