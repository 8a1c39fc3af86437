package io.kipimo.schemas.policy;

/** Algorithm that decides the admitted fraction. */
public enum ControllerKind {
    /** Admits everything. */
    NO_CONTROL,
    /** Velocity-form PID (Ubora, sec. 8). */
    PID,
    /** Additive increase, multiplicative decrease; a baseline. */
    AIMD
}
