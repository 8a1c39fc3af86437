package io.kipimo.core.guard;

/** Holds on fewer than {@code minimumPerSecond} answers a second. */
public record MinimumRate<S>(double minimumPerSecond, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        return now.ratePerSecond() < minimumPerSecond
                ? Outcome.hold(state, now.inForce(), Reason.HELD_RATE_TOO_LOW)
                : inner.decide(state, now);
    }
}
