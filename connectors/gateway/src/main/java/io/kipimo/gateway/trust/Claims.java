package io.kipimo.gateway.trust;

import io.kipimo.gateway.http.TraceState;
import io.kipimo.sdk.trace.TraceParent;
import io.vertx.core.MultiMap;
import java.util.Optional;

/**
 * The claims of a request that the gateway accepts, and the headers that pass them to the server.
 *
 * @param isTrusted whether the caller may name ids and classes
 * @param trace the caller's, or one that starts here
 * @param isOfQuery whether the caller named the trace, and did not claim a replay without a valid
 *     token
 * @param isReplay whether the request belongs to a replay
 * @param traceParent replaces that of the caller; empty: it stays
 * @param traceState the same; an empty text takes the header away
 * @param classHeader the same; the class that the request has here
 */
public record Claims(
        boolean isTrusted,
        TraceParent trace,
        boolean isOfQuery,
        boolean isReplay,
        String queryClass,
        Optional<String> traceParent,
        Optional<String> traceState,
        Optional<String> classHeader) {

    /** The same under another trace, which starts here. */
    Claims withTrace(TraceParent other) {
        return new Claims(
                isTrusted,
                other,
                false,
                isReplay,
                queryClass,
                traceParent.map(before -> other.format()),
                traceState,
                classHeader);
    }

    /**
     * Sets the headers of a request accordingly.
     *
     * @param className the header that names the class
     */
    public void apply(MultiMap headers, String className) {
        traceParent.ifPresent(value -> headers.set(TraceParent.HEADER, value));
        traceState.ifPresent(
                value -> {
                    headers.remove(TraceState.HEADER);
                    if (!value.isEmpty()) {
                        headers.set(TraceState.HEADER, value);
                    }
                });
        classHeader.ifPresent(
                value -> {
                    // CGI and its successors do not distinguish the two names.
                    headers.remove(className.replace('-', '_'));
                    headers.set(className, value);
                });
    }
}
