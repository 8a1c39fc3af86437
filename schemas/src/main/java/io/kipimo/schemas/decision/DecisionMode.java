package io.kipimo.schemas.decision;

/** Tells an actuator how to treat a decision. */
public enum DecisionMode {
    /** The decision is only published; actuators ignore the value. */
    SHADOW,
    /** Actuators apply the value. */
    ACTIVE,
    /** The decision repeats the previous value with a renewed lease. */
    HOLD,
    /** A person set the value; actuators apply it. */
    MANUAL;

    /** Whether an actuator applies the value. */
    public boolean isEffective() {
        return this != SHADOW;
    }
}
