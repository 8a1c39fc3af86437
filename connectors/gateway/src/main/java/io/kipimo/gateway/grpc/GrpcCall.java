package io.kipimo.gateway.grpc;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Heads and trailers of gRPC calls (grpc/doc/PROTOCOL-HTTP2.md). */
public final class GrpcCall {
    public static final String TIMEOUT = "grpc-timeout";

    private static final String TYPE = "application/grpc";
    private static final String STATUS = "grpc-status";
    private static final String MESSAGE = "grpc-message";
    private static final Pattern TIME = Pattern.compile("(\\d{1,8})([HMSmun])");

    /** Error code CANCEL (RFC 9113, sec. 7). */
    private static final long CANCEL = 8;

    private GrpcCall() {}

    /** Whether a message with these headers belongs to a gRPC call. */
    public static boolean is(MultiMap headers) {
        String type = headers.get(HttpHeaders.CONTENT_TYPE);
        return type != null && type.toLowerCase(Locale.ROOT).startsWith(TYPE);
    }

    /**
     * Time that the caller of a gRPC call waits, milliseconds, at least 1; empty: not stated, malformed, or no gRPC
     * call.
     */
    public static OptionalLong timeoutMillis(MultiMap headers) {
        String text = is(headers) ? headers.get(TIMEOUT) : null;
        Matcher time = TIME.matcher(text == null ? "" : text);
        if (!time.matches()) {
            return OptionalLong.empty();
        }
        long number = Long.parseLong(time.group(1));
        long millis =
                switch (time.group(2)) {
                    case "H" -> number * 3_600_000;
                    case "M" -> number * 60_000;
                    case "S" -> number * 1_000;
                    case "m" -> number;
                    case "u" -> number / 1_000;
                    default -> number / 1_000_000;
                };
        return OptionalLong.of(Math.max(1, millis));
    }

    /** Status of a whole response. For a gRPC call, the HTTP status that corresponds to the call's own status. */
    public static int status(HttpClientResponse response) {
        if (!is(response.request().headers())) {
            return response.statusCode();
        }
        if (!is(response.headers())) {
            // Something else than the engine answered.
            return Math.max(response.statusCode(), 502);
        }
        String status = response.getTrailer(STATUS);
        return http(status == null ? response.getHeader(STATUS) : status);
    }

    /** HTTP status that corresponds to a gRPC status. A call without a status did not end as it should: 500. */
    private static int http(String status) {
        return switch (status == null ? "" : status) {
            case "0" -> 200;
            case "1" -> 499;
            case "3", "9", "11" -> 400;
            case "4" -> 504;
            case "5" -> 404;
            case "6", "10" -> 409;
            case "7" -> 403;
            case "16" -> 401;
            case "8", "14" -> 503;
            case "12" -> 501;
            default -> 500;
        };
    }

    /** Ends a gRPC call with an error. The error is UNAVAILABLE if the caller may repeat the call. */
    public static void fail(HttpServerResponse response, int status, String why) {
        String code =
                switch (status) {
                    case 504 -> "4";
                    case 429, 502, 503 -> "14";
                    case 405, 501 -> "12";
                    default -> "13";
                };
        response.putHeader(HttpHeaders.CONTENT_TYPE, TYPE)
                .putHeader(STATUS, code)
                .putHeader(MESSAGE, why)
                .end();
    }

    /** Aborts a request: resets its HTTP/2 stream, or closes its HTTP/1 connection, which has one request at a time. */
    public static void abort(HttpClientRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.reset(CANCEL);
        } else {
            request.connection().close();
        }
    }
}
