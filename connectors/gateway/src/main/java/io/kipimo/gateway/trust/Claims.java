package io.kipimo.gateway.trust;

import io.kipimo.gateway.http.TraceState;
import io.kipimo.sdk.trace.TraceParent;
import io.vertx.core.MultiMap;
import java.util.Optional;

/**
 * The claims of a request that the gateway accepts, and the headers that pass them to the server.
 *
 * @param isTrusted whether the caller may set ids and classes
 * @param trace the caller's trace, or one that starts here
 * @param isOfQuery whether the trace comes from the caller, and the request does not claim a replay
 *     without a valid token
 * @param isReplay whether the request belongs to a replay
 * @param traceParent replaces that of the caller; empty: it stays
 * @param traceState replaces that of the caller; an empty text removes the header; empty: it stays
 * @param traceHeader replaces the caller's own query id; empty: it stays
 * @param classHeader replaces that of the caller with the class that the request has here; empty:
 *     it stays
 */
public record Claims(
        boolean isTrusted,
        TraceParent trace,
        boolean isOfQuery,
        boolean isReplay,
        String queryClass,
        Optional<String> traceParent,
        Optional<String> traceState,
        Optional<String> traceHeader,
        Optional<String> classHeader) {

    /** A copy with another trace, which starts here. */
    Claims withTrace(TraceParent other) {
        return new Claims(
                isTrusted,
                other,
                false,
                isReplay,
                queryClass,
                traceParent.map(before -> other.format()),
                traceState,
                traceHeader.map(before -> other.traceId()),
                classHeader);
    }

    /**
     * Sets the headers of a request to the accepted claims.
     *
     * @param traceName name of the header that contains the caller's own query id
     * @param className name of the header that contains the class
     */
    public void apply(MultiMap headers, String traceName, String className) {
        traceHeader.ifPresent(value -> replace(headers, traceName, value));
        traceParent.ifPresent(value -> headers.set(TraceParent.HEADER, value));
        traceState.ifPresent(
                value -> {
                    headers.remove(TraceState.HEADER);
                    if (!value.isEmpty()) {
                        headers.set(TraceState.HEADER, value);
                    }
                });
        classHeader.ifPresent(value -> replace(headers, className, value));
    }

    private static void replace(MultiMap headers, String name, String value) {
        // CGI and its successors treat underscore and hyphen alike.
        headers.remove(name.replace('-', '_'));
        headers.set(name, value);
    }
}
