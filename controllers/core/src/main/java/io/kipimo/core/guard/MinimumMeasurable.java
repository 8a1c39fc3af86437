package io.kipimo.core.guard;

/** Holds where a smaller share than {@code minimum} of the answers is measurable. */
public record MinimumMeasurable<S>(double minimum, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        return now.measurableShare() < minimum
                ? Outcome.hold(state, now.inForce(), Reason.HELD_NOT_MEASURABLE)
                : inner.decide(state, now);
    }
}
