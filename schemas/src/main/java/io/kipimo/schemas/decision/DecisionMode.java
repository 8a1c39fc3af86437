package io.kipimo.schemas.decision;

/** What an actuator is to do with a decision. */
public enum DecisionMode {
    /** Decided and published, to be applied by nobody. */
    SHADOW,
    /** To be applied. */
    ACTIVE,
    /** The previous value, its lease renewed. */
    HOLD,
    /** Set by a person; to be applied. */
    MANUAL;

    /** Whether an actuator applies the value. */
    public boolean isEffective() {
        return this != SHADOW;
    }
}
