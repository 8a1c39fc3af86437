package io.kipimo.gateway.record;

/** Why a query that was to be run once more has no mature answer. */
public enum ReplayFailure {
    /** Too many were kept already. */
    QUEUE_FULL,
    /** What it came with, and the others, would have been too many bytes. */
    NO_ROOM,
    /** Its turn did not come before it expired. */
    EXPIRED,
    /** A request with its id was under way. */
    ID_IN_USE,
    /** No answer came, or none in time. */
    NO_ANSWER,
    /** The status of the answer was not 2xx. */
    STATUS,
    /** A component failed or did not answer in time, once more. */
    INCOMPLETE,
    /** The answer says of itself that it is partial. */
    CUT,
    /**
     * A component that every query asks was not asked, or none was at all, as far as is seen: the
     * front end does not pass the trace context on.
     */
    NOT_ASKED,
    /** Nothing was found in the answer. */
    UNREADABLE
}
