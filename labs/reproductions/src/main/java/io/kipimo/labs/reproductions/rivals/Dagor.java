package io.kipimo.labs.reproductions.rivals;

/**
 * Admission by priority (Zhou et al., "Overload Control for Scaling WeChat Microservices", DAGOR, 2018, sec. 4.2). A
 * service is overloaded if its requests waited longer than 20 ms on average in the last second. Then 5 % fewer queries
 * are to be admitted than before, otherwise 1 % more. The level of admission is where the last second's arrivals,
 * counted by priority, reach that number.
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
