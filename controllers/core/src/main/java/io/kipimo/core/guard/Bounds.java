package io.kipimo.core.guard;

import io.kipimo.schemas.decision.DecisionMode;

/** The value is a number within {@code floor}..{@code ceiling}; what is not a number holds. */
public record Bounds<S>(double floor, double ceiling, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        Outcome<S> wanted = inner.decide(state, now);
        // Before any comparison: Math.max(0.1, NaN) is NaN.
        if (!Double.isFinite(wanted.value())) {
            return Outcome.hold(
                    state, clamp(now.inForce(), floor, ceiling), Reason.HELD_IMPOSSIBLE_VALUE);
        }
        double bounded = clamp(wanted.value(), floor, ceiling);
        return bounded != wanted.value() && wanted.mode() == DecisionMode.HOLD
                ? new Outcome<>(wanted.state(), bounded, DecisionMode.ACTIVE, Reason.BOUNDED)
                : wanted.withValue(bounded);
    }

    /** {@code value} within the bounds, with -0 made 0. */
    public static double clamp(double value, double floor, double ceiling) {
        return Math.max(floor, Math.min(ceiling, value)) + 0.0;
    }
}
