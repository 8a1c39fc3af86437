package io.kipimo.core.guard;

import io.kipimo.schemas.decision.DecisionMode;

/**
 * Output of a control law or a guard.
 *
 * @param state state of the law after the step
 * @param value 0..1
 */
public record ControlOutput<S>(S state, double value, DecisionMode mode, DecisionReason reason) {

    /** Returns an output that keeps the value in force. */
    public static <S> ControlOutput<S> hold(S state, double inForce, DecisionReason reason) {
        return new ControlOutput<>(state, inForce, DecisionMode.HOLD, reason);
    }

    public ControlOutput<S> withValue(double newValue) {
        return new ControlOutput<>(state, newValue, mode, reason);
    }
}
