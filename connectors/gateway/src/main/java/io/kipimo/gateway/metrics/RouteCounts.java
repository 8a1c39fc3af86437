package io.kipimo.gateway.metrics;

import io.kipimo.sdk.internal.exposition.EventCounts;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** Counts of one listener since the start. */
public final class RouteCounts extends EventCounts {
    /** Events in the course of a request. */
    public enum RouteEvent {
        /** A request arrived. */
        REQUESTS,
        /** Refused: the request is malformed, or not for a reverse proxy. */
        REFUSED,
        /** Shed at the admitted fraction: 429. */
        SHED_BY_ADMISSION,
        /** Shed at the local limit: 503. */
        SHED_BY_LIMIT,
        /** Copies sent to servers; one per request without replication. */
        COPIES,
        /** A request was retried at another server. */
        RETRIES,
        /** No server answered: 502. */
        UNANSWERED,
        /** No server answered in time: 504. */
        TIMED_OUT,
        /** The caller left before it had the whole answer. */
        ABANDONED,
        /** A response arrived after the caller had left or the time-out had passed, and was recorded. */
        LATE,
        /** Answered from the memo cache. */
        REPLAYED,
        /** The gateway answered in place of a component that the query does not ask. */
        NOT_ASKED,
        /** A request was passed on once and not measured: {@code only} does not name it, or its body was streamed. */
        PASSED,
        /** Queries sent to servers: copies, replays, and queries that are repeated to compare two servers. */
        SENT_QUERIES
    }

    /** Faults of a connection. */
    public enum Fault {
        /** A request's head that RFC 9112 does not allow, or that is too long: 4xx. */
        REQUEST_HEAD,
        /** A request's body with broken framing: 400, and the request to the server is aborted. */
        REQUEST_BODY,
        /** A head that took too long: 408. */
        SLOW_HEAD,
        /** A request's body that arrived too slowly: 408. */
        SLOW_BODY,
        /** A caller that read its response too slowly; the response is aborted. */
        SLOW_READER,
        /** Too many pipelined requests on a connection; the connection is closed. */
        PIPELINED,
        /** A body without room in the buffers; it passed through without being kept. */
        NO_ROOM,
        /** A caller that does not use TLS at a listener that does. */
        CALLER_NOT_TLS,
        /** A caller that uses TLS at a listener that does not. */
        CALLER_TLS,
        /** A TLS handshake with a caller that failed. */
        CALLER_HANDSHAKE,
        /** A server that does not use TLS, though the configuration says so: 502. */
        SERVER_NOT_TLS,
        /** A server that uses TLS, though the configuration does not say so: 502. */
        SERVER_TLS,
        /** A TLS handshake with a server that failed: 502. */
        SERVER_HANDSHAKE,
        /** A caller that speaks HTTP/1 where only HTTP/2 is spoken: 505. */
        CALLER_NOT_HTTP2,
        /** A server that does not speak HTTP/2: 502. */
        SERVER_NOT_HTTP2,
        /** A malformed response: 502. */
        RESPONSE_MALFORMED,
        /** Bytes from a server without a request; the connection is closed. */
        RESPONSE_UNASKED,
        /** An interim response, which was skipped. */
        RESPONSE_INTERIM,
        /** A connection that might carry further bytes of a response; it was closed instead of reused. */
        CONNECTION_NOT_REUSED
    }

    /** Claims of requests that the gateway ignored. */
    public enum Ignored {
        /** A trace id of a caller that is not trusted: the trace was restarted. */
        TRACE_OF_OUTSIDER,
        /** More than one {@code traceparent}, or a malformed one. */
        TRACE_MALFORMED,
        /** A malformed {@code tracestate}, which was removed. */
        TRACESTATE_MALFORMED,
        /** A class from a caller that is not trusted, or more than one class. */
        CLASS,
        /** Kipimo's entry in {@code tracestate} from a caller that is not trusted, or at a front. */
        REPLAY_MISPLACED,
        /** Kipimo's entry without the signature of this fleet for this query. */
        REPLAY_FORGED,
        /** Kipimo's entry after its expiry. */
        REPLAY_EXPIRED
    }

    private final LongAdder[] statuses = new LongAdder[6];

    private final Histogram times = Histogram.builder()
            .name("kipimo_gateway_request_seconds")
            .help("Time from a request to the end of its response.")
            .labelNames("listener")
            .classicOnly()
            .classicUpperBounds(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
            .withoutExemplars()
            .build();
    private final DistributionDataPoint time;

    /** @param listener its name */
    public RouteCounts(String listener) {
        super(RouteEvent.values(), Fault.values(), Ignored.values());
        time = times.labelValues(listener);
        Arrays.setAll(statuses, i -> new LongAdder());
    }

    /** Counts a response that was sent. */
    public void status(int status) {
        statuses[Math.max(1, Math.min(5, status / 100))].increment();
    }

    /** Records how long an answered request took. */
    public void took(long nanos) {
        time.observe(nanos / 1e9);
    }

    /** How long requests took, seconds. */
    public HistogramSnapshot times() {
        return times.collect();
    }

    /**
     * Number of responses of a status class.
     *
     * @param hundreds first digit of the status, 1..5
     */
    public long responses(int hundreds) {
        return statuses[hundreds].sum();
    }
}
