package io.kipimo.gateway.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** Counts of one listener since the start. */
public final class RouteCounts {
    /** What a request came to. */
    public enum Event {
        /** A request came. */
        REQUESTS,
        /** Refused: malformed, or nothing for a reverse proxy. */
        REFUSED,
        /** Shed at the admitted fraction: 429. */
        SHED_BY_ADMISSION,
        /** Shed at the local limit: 503. */
        SHED_BY_LIMIT,
        /** Copies sent to servers; one a request without replication. */
        COPIES,
        /** Tried once more at another server. */
        RETRIES,
        /** No server answered: 502. */
        UNANSWERED,
        /** No server answered in time: 504. */
        TIMED_OUT,
        /** The caller went away first. */
        ABANDONED,
        /** Responses that came after the caller went away, and were recorded. */
        LATE,
        /** Answered from the memo cache. */
        REPLAYED,
        /**
         * Passed once and unmeasured: not named by {@code only}, or with a body that is streamed.
         */
        PASSED
    }

    /** What was not as it should be on a connection. */
    public enum Fault {
        /** A request's head that RFC 9112 does not allow, or that is too long: 4xx. */
        REQUEST_HEAD,
        /** A request's body whose framing broke: 400, and the server's request is broken off. */
        REQUEST_BODY,
        /** A head that took too long: 408. */
        SLOW_HEAD,
        /** A request's body that came too slowly: 408. */
        SLOW_BODY,
        /** A response that was read too slowly: broken off. */
        SLOW_READER,
        /** More requests on a connection than may wait for the first: broken off. */
        PIPELINED,
        /** A body that would be kept, for which there was no room: it passed through. */
        NO_ROOM,
        /** A response that is none: 502. */
        RESPONSE_MALFORMED,
        /** A server sent what nobody asked for: its connection is closed. */
        RESPONSE_UNASKED,
        /** An interim response, which was read over. */
        RESPONSE_INTERIM,
        /** A connection that might have had more to read, and was closed instead of used again. */
        CONNECTION_NOT_REUSED
    }

    private final LongAdder[] faults = new LongAdder[Fault.values().length];

    /** What a request said of itself and was not believed. */
    public enum Ignored {
        /** A trace id of a caller that is not trusted: the trace was restarted. */
        TRACE_OF_OUTSIDER,
        /** More than one {@code traceparent}, or one that is not of its form. */
        TRACE_MALFORMED,
        /** A {@code tracestate} that is not of its form: it was taken away. */
        TRACESTATE_MALFORMED,
        /** A class of a caller that is not trusted, or more than one. */
        CLASS,
        /** Kipimo's entry from a caller that is not trusted, or at a front. */
        REPLAY_MISPLACED,
        /** Kipimo's entry without the signature of this fleet for this query. */
        REPLAY_FORGED,
        /** Kipimo's entry after its time. */
        REPLAY_EXPIRED
    }

    private final LongAdder[] ignored = new LongAdder[Ignored.values().length];
    private final LongAdder[] events = new LongAdder[Event.values().length];
    private final LongAdder[] statuses = new LongAdder[6];

    public RouteCounts() {
        Arrays.setAll(events, i -> new LongAdder());
        Arrays.setAll(faults, i -> new LongAdder());
        Arrays.setAll(ignored, i -> new LongAdder());
        Arrays.setAll(statuses, i -> new LongAdder());
    }

    public void count(Event event) {
        events[event.ordinal()].increment();
    }

    public long of(Event event) {
        return events[event.ordinal()].sum();
    }

    public void count(Fault fault) {
        faults[fault.ordinal()].increment();
    }

    public long of(Fault fault) {
        return faults[fault.ordinal()].sum();
    }

    public void count(Ignored reason) {
        ignored[reason.ordinal()].increment();
    }

    public long of(Ignored reason) {
        return ignored[reason.ordinal()].sum();
    }

    /** A response left. */
    public void status(int status) {
        statuses[Math.max(1, Math.min(5, status / 100))].increment();
    }

    /**
     * Responses.
     *
     * @param hundreds 1..5
     */
    public long responses(int hundreds) {
        return statuses[hundreds].sum();
    }
}
