package io.kipimo.gateway.metrics;

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
        REPLAYED
    }

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
        for (int i = 0; i < events.length; i++) {
            events[i] = new LongAdder();
        }
        for (int i = 0; i < ignored.length; i++) {
            ignored[i] = new LongAdder();
        }
        for (int i = 0; i < statuses.length; i++) {
            statuses[i] = new LongAdder();
        }
    }

    public void count(Event event) {
        events[event.ordinal()].increment();
    }

    public long of(Event event) {
        return events[event.ordinal()].sum();
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
