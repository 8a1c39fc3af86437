package io.kipimo.gateway.proxy;

import io.kipimo.gateway.config.Role;
import io.kipimo.gateway.grpc.GrpcCall;
import io.kipimo.gateway.http.ForwardedHeaders;
import io.kipimo.gateway.trust.Claims;
import io.kipimo.sdk.trace.TraceParent;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/**
 * An admitted request and the resources that it occupies.
 *
 * @param target path and query
 * @param claims claims that the gateway accepts
 * @param kept room for its body and for the bodies of its responses
 */
record InboundRequest(
        HttpServerRequest http, String target, Claims claims, RequestBody body, KeptBytes kept, Place place) {
    String queryClass() {
        return claims.queryClass();
    }

    TraceParent trace() {
        return claims.trace();
    }

    boolean isReplay() {
        return claims.isReplay();
    }

    /** A copy with other claims. */
    InboundRequest with(Claims others) {
        return new InboundRequest(http, target, others, body, kept, place);
    }

    /** A copy with another target. */
    InboundRequest to(String otherTarget) {
        return new InboundRequest(http, otherTarget, claims, body, kept, place);
    }

    /** Whether the request may be sent more than once. A streamed body can be sent only once. */
    boolean isRepeatable(Route route) {
        return !body.isStreamed() && route.config().mayRepeat(http.method().name(), target);
    }

    /** Headers for the server. */
    MultiMap headers(Route route) {
        MultiMap headers = HttpHeaders.headers();
        ForwardedHeaders.copy(http.headers(), headers);
        headers.remove(HttpHeaders.EXPECT);
        if (!headers.contains(HttpHeaders.HOST) && http.authority() != null) {
            headers.set(HttpHeaders.HOST, http.authority().toString());
        }
        ForwardedHeaders.addOrigin(
                headers,
                http.remoteAddress().hostAddress(),
                http.scheme(),
                headers.get(HttpHeaders.HOST),
                number(http.version()));
        if (GrpcCall.is(headers)) {
            // HTTP/2 has the host elsewhere, and calls end with trailers.
            headers.remove(HttpHeaders.HOST);
            headers.set("te", "trailers");
        }
        claims.apply(headers, route.config().traceHeader(), route.config().classHeader());
        if (!route.is(Role.TIER) && !headers.contains(TraceParent.HEADER)) {
            // The caller had named this header in Connection, which removed it.
            headers.set(TraceParent.HEADER, trace().format());
        }
        return headers;
    }

    /** The version in the form of header {@code Via}. */
    static String number(HttpVersion version) {
        return switch (version) {
            case HTTP_1_0 -> "1.0";
            case HTTP_1_1 -> "1.1";
            case HTTP_2 -> "2";
        };
    }
}
