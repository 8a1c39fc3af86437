package io.kipimo.core.guard;

import io.kipimo.schemas.decision.DecisionMode;

/**
 * What was decided.
 *
 * @param state of the controller, afterwards
 * @param value 0..1
 */
public record Outcome<S>(S state, double value, DecisionMode mode, Reason reason) {

    /** The value in force stays. */
    public static <S> Outcome<S> hold(S state, double inForce, Reason reason) {
        return new Outcome<>(state, inForce, DecisionMode.HOLD, reason);
    }

    public Outcome<S> withValue(double newValue) {
        return new Outcome<>(state, newValue, mode, reason);
    }
}
