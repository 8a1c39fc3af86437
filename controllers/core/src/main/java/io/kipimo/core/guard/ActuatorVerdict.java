package io.kipimo.core.guard;

/** An actuator's verdict on a decision. */
public enum ActuatorVerdict {
    /** The decision was applied unchanged. */
    APPLIED(true),
    /** The decision was applied, with its value cut to the actuator's own bounds. */
    APPLIED_WITHIN_BOUNDS(true),
    /** The local kill switch is on. */
    KILL_SWITCH(false),
    /** A local override is in force. */
    OVERRIDDEN(false),
    /** The decision is another controller's. */
    OTHER_CONTROLLER(false),
    /** The decision is for another scope. */
    OTHER_SCOPE(false),
    /** A field of the decision is absent or out of range. */
    IMPOSSIBLE(false),
    /** The actuator has applied this decision, or a newer one, before. */
    NOT_NEWER(false),
    /** The decision's lease has ended. */
    EXPIRED(false),
    /** The decision's inputs are too old. */
    STALE(false),
    /** A shadow decision, which is never applied; at the start it keeps the ceiling in force. */
    SHADOW(false);

    private final boolean applied;

    ActuatorVerdict(boolean applied) {
        this.applied = applied;
    }

    public boolean isApplied() {
        return applied;
    }
}
