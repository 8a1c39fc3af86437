package io.kipimo.gateway.trust;

import io.kipimo.gateway.http.TraceState;
import io.kipimo.sdk.trace.TraceParent;
import io.vertx.core.MultiMap;
import java.util.Optional;

/**
 * What is believed of what a request says of itself, and the headers that say so to the server.
 *
 * @param isTrusted whether the caller may name ids and classes
 * @param trace the caller's, or one that starts here
 * @param isOfQuery whether the caller named it, and not for a replay that is none
 * @param isReplay whether the request is of a query that is run once more
 * @param traceParent to put in the place of the caller's; empty: that stays as it is
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
     * Makes a request's headers say it.
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
        classHeader.ifPresent(value -> headers.set(className, value));
    }
}
