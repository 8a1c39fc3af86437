package io.kipimo.core.guard;

import io.kipimo.schemas.decision.DecisionMode;

/** Decides, for nobody to apply. */
public record Shadow<S>(boolean on, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        Outcome<S> wanted = inner.decide(state, now);
        return on
                ? new Outcome<>(
                        wanted.state(), wanted.value(), DecisionMode.SHADOW, wanted.reason())
                : wanted;
    }
}
