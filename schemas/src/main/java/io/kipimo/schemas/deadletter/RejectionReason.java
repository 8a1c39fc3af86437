package io.kipimo.schemas.deadletter;

/** Reason why a record could not be used. */
public enum RejectionReason {
    /** The value is empty, or is not a message of the topic's type. */
    UNREADABLE,
    /** A required field is absent or empty. */
    MISSING_FIELD,
    /** A number is not finite, is negative, or is out of its range. */
    IMPOSSIBLE_NUMBER,
    /** A name is too long or has forbidden characters, or an enum constant is unknown. */
    IMPOSSIBLE_TEXT,
    /** Fields contradict each other. */
    INCONSISTENT,
    /** The timestamp is too far ahead of the reader's clock, and would advance the watermark. */
    FUTURE_TIMESTAMP,
    /** No policy names the service. */
    UNKNOWN_SERVICE,
    /** The window of the record has ended. Late events of single queries go to topic late-events. */
    LATE,
    /** The service has more distinct names than Kipimo distinguishes. */
    TOO_MANY_NAMES
}
