package io.kipimo.schemas.deadletter;

/** Why a record could not be used. */
public enum RejectionReason {
    /** Not a message of the topic's type, or empty. */
    UNREADABLE,
    /** A field that must be there is absent or empty. */
    MISSING_FIELD,
    /** A number that cannot be: not finite, negative, outside of its range. */
    IMPOSSIBLE_NUMBER,
    /**
     * A name that is too long or has characters that are not allowed, or an unknown enum constant.
     */
    IMPOSSIBLE_TEXT,
    /** Fields that contradict each other. */
    INCONSISTENT,
    /** Stamped later than the clock allows; it would push the watermark. */
    FUTURE_TIMESTAMP,
    /** No policy names the service. */
    UNKNOWN_SERVICE,
    /** Its window has ended; of facts about single queries see late-events. */
    LATE,
    /** One name more than are kept apart: its service tells of too many. */
    TOO_MANY_NAMES
}
