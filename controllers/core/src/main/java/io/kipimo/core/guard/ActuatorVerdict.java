package io.kipimo.core.guard;

/** What an actuator made of a decision. */
public enum ActuatorVerdict {
    /** Taken as it is. */
    APPLIED(true),
    /** Taken, cut to the actuator's own bounds. */
    APPLIED_WITHIN_BOUNDS(true),
    /** The local kill switch is on. */
    KILL_SWITCH(false),
    /** A local override is in force. */
    OVERRIDDEN(false),
    /** Another controller's decision. */
    OTHER_CONTROLLER(false),
    /** Another scope's decision. */
    OTHER_SCOPE(false),
    /** A field is absent, or a number that the envelope does not allow. */
    IMPOSSIBLE(false),
    /** A decision as new or newer has been applied. */
    NOT_NEWER(false),
    /** Its lease is over. */
    EXPIRED(false),
    /** The inputs behind it are too old. */
    STALE(false),
    /** Not meant to be applied. */
    SHADOW(false);

    private final boolean applied;

    ActuatorVerdict(boolean applied) {
        this.applied = applied;
    }

    public boolean isApplied() {
        return applied;
    }
}
