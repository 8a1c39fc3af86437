package io.kipimo.core.guard;

import io.kipimo.schemas.decision.DecisionMode;

/** Switched on, nothing but the safe value is decided. */
public record KillSwitch<S>(boolean on, double safe, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        return on
                ? new Outcome<>(state, safe, DecisionMode.MANUAL, Reason.KILL_SWITCH)
                : inner.decide(state, now);
    }
}
