package io.kipimo.core.arbitration;

/** How a copy ended. */
public enum AttemptEnd {
    /** With a response. */
    COMPLETED,
    /** With an error, or without any response in time. */
    FAILED,
    /** Cancelled because another copy's response came first; no error of the server. */
    CANCELLED
}
