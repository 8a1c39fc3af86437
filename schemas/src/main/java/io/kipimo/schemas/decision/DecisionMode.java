package io.kipimo.schemas.decision;

/** How an actuator treats a decision. */
public enum DecisionMode {
    /** Published only; actuators ignore the value. */
    SHADOW,
    /** Actuators apply the value. */
    ACTIVE,
    /** The previous value, with a renewed lease. */
    HOLD,
    /** Set by a person; actuators apply the value. */
    MANUAL;

    /** Whether an actuator applies the value. */
    public boolean isEffective() {
        return this != SHADOW;
    }
}
