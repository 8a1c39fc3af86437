package io.kipimo.core.guard;

/** An actuator's verdict on a decision. */
public enum ActuatorVerdict {
    /** Applied unchanged. */
    APPLIED(true),
    /** Applied, cut to the actuator's own bounds. */
    APPLIED_WITHIN_BOUNDS(true),
    /** The local kill switch is on. */
    KILL_SWITCH(false),
    /** A local override is in force. */
    OVERRIDDEN(false),
    /** Another controller's decision. */
    OTHER_CONTROLLER(false),
    /** Another scope's decision. */
    OTHER_SCOPE(false),
    /** A field is absent or out of range. */
    IMPOSSIBLE(false),
    /** A decision as new or newer has been applied. */
    NOT_NEWER(false),
    /** Its lease has ended. */
    EXPIRED(false),
    /** Its inputs are too old. */
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
