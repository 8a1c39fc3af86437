package io.kipimo.core.guard;

/** Holds on fewer than {@code minimum} measurements. */
public record MinimumSamples<S>(int minimum, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        return now.samples() < minimum
                ? Outcome.hold(state, now.inForce(), Reason.HELD_TOO_FEW_SAMPLES)
                : inner.decide(state, now);
    }
}
