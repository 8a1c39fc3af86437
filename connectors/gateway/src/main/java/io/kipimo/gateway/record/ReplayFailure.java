package io.kipimo.gateway.record;

/** Reason why a replay yielded no mature answer. */
public enum ReplayFailure {
    /** The queue of replays was full. */
    QUEUE_FULL,
    /** The kept queries would have exceeded the limit of bytes. */
    NO_ROOM,
    /** The query expired before its turn. */
    EXPIRED,
    /** The query expired after replays had used up their share of time. */
    BUDGET,
    /** The limits of the query could not be removed from the request's body. */
    BODY,
    /** A query with the same id was under way. */
    ID_IN_USE,
    /** No answer arrived in time. */
    NO_ANSWER,
    /** The replay took longer than {@code replay.timeout}. */
    TIMED_OUT,
    /** The status of the answer was not 2xx. */
    STATUS,
    /** Again, a component failed or did not answer in time. */
    INCOMPLETE,
    /** The answer left at its deadline or later, so it may lack components again. */
    LATE,
    /** The answer carries a sign of work cut short. */
    CUT,
    /**
     * A mandatory component was not invoked, or none was: most likely the front end does not forward the trace context.
     */
    NOT_ASKED,
    /** The answer could not be read. */
    UNREADABLE,
    /** The answer has no list of items that shows what the first answer lacked. */
    NO_LIST
}
