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

    private final LongAdder[] events = new LongAdder[Event.values().length];
    private final LongAdder[] statuses = new LongAdder[6];

    public RouteCounts() {
        for (int i = 0; i < events.length; i++) {
            events[i] = new LongAdder();
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
