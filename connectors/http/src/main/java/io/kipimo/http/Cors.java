package io.kipimo.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pages of other origins that may read answers, without credentials (Fetch standard, sec. 3.2).
 *
 * @param origins such as {@code https://shop}; {@code *}: all; empty: none
 * @param requestHeaders headers that such pages may send although they need a preflight
 * @param responseHeaders headers that their scripts may read
 */
public record Cors(Set<String> origins, List<String> requestHeaders, List<String> responseHeaders) {
    private static final String ANY = "*";

    /** @throws IllegalArgumentException if an origin is malformed */
    public Cors {
        origins = Set.copyOf(origins);
        for (String origin : origins) {
            if (!origin.matches("\\*|https?://[^/\\s?#@]+")) {
                throw new IllegalArgumentException(
                        "origin is '" + origin + "'; allowed: https://HOST, https://HOST:PORT or *");
            }
        }
    }

    /** Adds the headers that permit reading to the response, whatever other headers it has. */
    void permit(HttpServerRequest request) {
        if (!origins.isEmpty()) {
            HttpServerResponse response = request.response();
            response.headersEndHandler(before -> {
                boolean isAny = origins.contains(ANY);
                if (!isAny) {
                    response.headers().add(HttpHeaders.VARY, HttpHeaders.ORIGIN);
                }
                String origin = request.getHeader(HttpHeaders.ORIGIN);
                if (isAny || (origin != null && origins.contains(origin))) {
                    response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, isAny ? ANY : origin);
                    if (!responseHeaders.isEmpty()) {
                        response.putHeader(
                                HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, String.join(", ", responseHeaders));
                    }
                }
            });
        }
    }

    /** The response to a preflight, which a browser sends before it sends such headers. */
    Reply preflight() {
        return new Reply(
                204,
                Map.of(
                        "Access-Control-Allow-Methods",
                        "GET, HEAD",
                        "Access-Control-Allow-Headers",
                        String.join(", ", requestHeaders),
                        "Access-Control-Max-Age",
                        "600"),
                new byte[0]);
    }
}
