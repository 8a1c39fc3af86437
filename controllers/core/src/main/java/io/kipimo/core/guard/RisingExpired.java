package io.kipimo.core.guard;

/**
 * The value does not rise while more sampled queries than usual lack their mature result or are not
 * measurable: as overload deepens, more mature results miss the window, more answers are errors,
 * and what is left looks healthy. "More" is the usual count plus one plus two standard deviations;
 * the usual share follows slowly, so a component that has always been late does not shut the
 * service for ever.
 */
public record RisingExpired<S>(Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        Outcome<S> wanted = inner.decide(state, now);
        return wanted.value() > now.inForce() && isRising(now)
                ? Outcome.hold(state, now.inForce(), Reason.HELD_EXPIRED)
                : wanted;
    }

    private static boolean isRising(Situation now) {
        double usual = now.usualExpiredShare() * now.stepSamples();
        double deviation = Math.sqrt(usual * (1 - now.usualExpiredShare()));
        return now.expired() > usual + 1 + 2 * deviation;
    }
}
