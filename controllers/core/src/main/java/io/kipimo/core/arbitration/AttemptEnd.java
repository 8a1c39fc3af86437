package io.kipimo.core.arbitration;

/** How a copy ended. */
public enum AttemptEnd {
    /** The copy got a response. */
    COMPLETED,
    /** The copy got an error, or no response in time. */
    FAILED,
    /** The copy was cancelled because another copy's response came first. This is no error of the server. */
    CANCELLED
}
