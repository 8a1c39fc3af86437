package io.kipimo.core.guard;

/** Holds until the input covers one averaging window. */
public record FullWindow<S>(long windowMillis, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        return now.asOfMillis() - now.inputSinceMillis() < windowMillis
                ? Outcome.hold(state, now.inForce(), Reason.HELD_WINDOW_NOT_FULL)
                : inner.decide(state, now);
    }
}
