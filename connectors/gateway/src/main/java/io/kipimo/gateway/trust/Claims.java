package io.kipimo.gateway.trust;

import io.kipimo.core.admission.CostBins;
import io.kipimo.gateway.http.TraceState;
import io.kipimo.schemas.field.Decimals;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.quality.Features;
import io.kipimo.sdk.trace.TraceParent;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import io.vertx.core.MultiMap;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The claims of a request that the gateway accepts, and the headers that pass them to the server.
 *
 * @param isTrusted whether the caller may set ids and classes
 * @param trace the caller's trace, or one that starts here
 * @param isOfQuery whether the trace comes from the caller, and any claim of a replay has a valid token
 * @param isReplay whether the request belongs to a replay
 * @param traceParent value that replaces the caller's W3C trace parent; empty: it stays
 * @param traceState value that replaces the caller's W3C trace state; an empty text removes the header; empty: it stays
 * @param traceHeader value that replaces the caller's own query id; empty: it stays
 * @param classHeader class that replaces the one that the caller names; empty: it stays
 * @param cost predicted by the caller, in a unit of its own; 0: unknown
 * @param features that the caller states of the query; may be empty
 */
@WithBuilder
public record Claims(
        boolean isTrusted,
        TraceParent trace,
        boolean isOfQuery,
        boolean isReplay,
        String queryClass,
        Optional<String> traceParent,
        Optional<String> traceState,
        Optional<String> traceHeader,
        Optional<String> classHeader,
        double cost,

        @Initializer(source = Features.class, value = "NONE")
        Features features) {
    /** Header in which a trusted caller states the predicted cost of a query. */
    static final String COST_HEADER = "kipimo-cost";

    /** Header in which a trusted caller states hashes of a query's features. */
    static final String FEATURES_HEADER = "kipimo-features";

    /** Greatest number of listed hashes. A further one makes the header malformed. */
    private static final int MOST_LISTED = 1_000;

    /** A copy with another trace, which starts here. */
    Claims withTrace(TraceParent other) {
        return ClaimsBuilder.builder(this)
                .trace(other)
                .traceParent(traceParent.map(before -> other.format()))
                .traceHeader(traceHeader.map(before -> other.traceId()))
                .isOfQuery(false)
                .build();
    }

    /** The cost that a header states; 0: it states no finite number above 0. */
    static double cost(String header) {
        double cost = header == null ? 0 : Decimals.parse(header.strip());
        return CostBins.isKnown(cost) ? cost : 0;
    }

    /** The hashes that a header lists, with 1..16 hexadecimal digits each; empty if one of them is malformed. */
    static Features features(String header) {
        if (header == null || header.isBlank()) {
            return Features.NONE;
        }
        try {
            return Features.of(Stream.of(header.split(",", MOST_LISTED))
                    .mapToLong(hash -> Long.parseUnsignedLong(hash.strip(), 16))
                    .toArray());
        } catch (NumberFormatException e) {
            return Features.NONE;
        }
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
        traceState.ifPresent(value -> {
            headers.remove(TraceState.HEADER);
            if (!value.isEmpty()) {
                headers.set(TraceState.HEADER, value);
            }
        });
        if (!isTrusted) {
            remove(headers, COST_HEADER);
            remove(headers, FEATURES_HEADER);
        }
        classHeader.ifPresent(value -> replace(headers, className, value));
    }

    private static void replace(MultiMap headers, String name, String value) {
        remove(headers, name);
        headers.set(name, value);
    }

    private static void remove(MultiMap headers, String name) {
        // CGI and its successors treat underscore and hyphen alike.
        headers.remove(name.replace('-', '_'));
        headers.remove(name);
    }
}
