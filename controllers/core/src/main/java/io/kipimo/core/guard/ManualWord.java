package io.kipimo.core.guard;

import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.ManualOverride;
import java.util.Optional;

/** A person's word goes above the controller, at once and beyond its bounds. */
public record ManualWord<S>(Optional<ManualOverride> word, Governor<S> inner)
        implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        return word.filter(w -> w.isInForce(now.nowMillis()))
                .map(w -> new Outcome<>(state, w.fraction(), DecisionMode.MANUAL, Reason.OVERRIDE))
                .orElseGet(() -> inner.decide(state, now));
    }
}
