package io.kipimo.console.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/** Parses requests for changes, and makes the changes on a worker thread, so that the event loop is not blocked. */
final class WriteRequests {
    private static final int MAXIMUM_BODY_BYTES = 8 * 1024;
    static final int MAXIMUM_TEXT = 256;
    private static final long LONGEST_MILLIS = 30L * 24 * 3600 * 1000;
    private static final Pattern TYPE = Pattern.compile("(?i)application/json\\s*(;\\s*charset=\"?utf-8\"?\\s*)?");

    /**
     * Characters that are not allowed in texts that are shown to others: control characters, line breaks, changes of
     * text direction and unpaired surrogates.
     */
    static final Pattern UNFIT = Pattern.compile("[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u202a-\\u202e\\u2066-\\u2069]");

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final WorkerExecutor executor;
    private final Writes writes;

    /** Starts a thread for writes. Writes wait for brokers, and reads must not wait for writes. */
    WriteRequests(Vertx vertx, Writes writes) {
        this.executor = vertx.createSharedWorkerExecutor("kipimo-console-writes", 1);
        this.writes = writes;
    }

    private Future<Long> written(Callable<Long> write) {
        return executor.executeBlocking(write, false);
    }

    /**
     * Sets an override as the request's body says. The future has the policy's new version, or fails with
     * {@link RequestRefusedException}.
     *
     * @param user who is logged in; empty: the body names the author
     */
    Future<Long> override(HttpServerRequest request, String service, String queryClass, Optional<String> user) {
        return body(request).compose(body -> {
            Map<String, Object> fields = fields(body, Set.of("fraction", "forMillis", "by", "reason"));
            double fraction = number(fields, "fraction");
            if (!(fraction >= 0 && fraction <= 1)) {
                throw refused("fraction is " + fraction + "; allowed: 0..1");
            }
            double millis = number(fields, "forMillis");
            if (!(millis >= 1000 && millis <= LONGEST_MILLIS)) {
                throw refused("forMillis is " + fields.get("forMillis") + "; allowed: 1000.." + LONGEST_MILLIS);
            }
            Writes.OverrideRequest override = new Writes.OverrideRequest(
                    Math.abs(fraction), (long) millis, by(fields, user), text(fields, "reason"));
            return written(() -> writes.override(service, queryClass, Optional.of(override)));
        });
    }

    /** Removes an override. The future has the policy's new version, or fails with {@link RequestRefusedException}. */
    Future<Long> clearOverride(String service, String queryClass) {
        return written(() -> writes.override(service, queryClass, Optional.empty()));
    }

    /** Turns the kill switch on or off. The parameters and the result are those of {@link #override}. */
    Future<Long> killSwitch(HttpServerRequest request, String service, Optional<String> user) {
        return body(request).compose(body -> {
            Map<String, Object> fields = fields(body, Set.of("on", "by", "reason"));
            if (!(fields.get("on") instanceof Boolean on)) {
                throw refused("on is " + fields.get("on") + "; allowed: true or false");
            }
            String by = by(fields, user);
            String reason = text(fields, "reason");
            return written(() -> writes.killSwitch(service, on, by, reason));
        });
    }

    static Future<Buffer> body(HttpServerRequest request) {
        String type = String.valueOf(request.getHeader(HttpHeaders.CONTENT_TYPE));
        if (!TYPE.matcher(type).matches()) {
            return Future.failedFuture(
                    new RequestRefusedException(415, "Content-Type is not supported; allowed: application/json"));
        }
        if (isTooLong(request)) {
            return Future.failedFuture(tooLong());
        }
        Promise<Buffer> whole = Promise.promise();
        Buffer body = Buffer.buffer();
        request.handler(chunk -> {
            if (body.length() + chunk.length() > MAXIMUM_BODY_BYTES) {
                whole.tryFail(tooLong());
            } else {
                body.appendBuffer(chunk);
            }
        });
        request.endHandler(end -> whole.tryComplete(body));
        request.exceptionHandler(broken -> whole.tryFail(new RequestRefusedException(400, "body breaks off", broken)));
        if (request.headers().contains(HttpHeaders.EXPECT)) {
            request.response().writeContinue();
        }
        return whole.future();
    }

    /** Returns whether the stated length of the body is above the limit. Netty has checked that it is a number. */
    private static boolean isTooLong(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length != null && Long.parseLong(length) > MAXIMUM_BODY_BYTES;
    }

    private static RequestRefusedException tooLong() {
        return new RequestRefusedException(413, "body is too long; allowed: " + MAXIMUM_BODY_BYTES + " bytes");
    }

    /** Parses a flat object of names and plain values. */
    private static Map<String, Object> fields(Buffer body, Set<String> allowed) {
        Map<String, Object> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(text(body))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw refused("body is not an object; allowed: " + allowed);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (!allowed.contains(name)) {
                    throw refused("a field is not known; allowed: " + allowed);
                }
                fields.put(name, value(name, parser));
            }
            if (parser.nextToken() != null) {
                throw refused("body continues after its end; allowed: one object");
            }
        } catch (IOException e) {
            throw new RequestRefusedException(400, "body is no JSON; allowed: " + allowed, e);
        }
        return fields;
    }

    /** Decodes a body as UTF-8. Jackson would guess the encoding from the first bytes, and could take it for UTF-16. */
    static String text(Buffer body) throws IOException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(body.getBytes()))
                .toString();
    }

    private static Object value(String name, JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        return switch (token) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw refused(name + " is not plain; allowed: a text, a number, true, false");
        };
    }

    private static double number(Map<String, Object> fields, String name) {
        if (fields.get(name) instanceof Double number) {
            return number;
        }
        throw refused(name + " is " + (fields.containsKey(name) ? "no" : "not there; allowed: a") + " number");
    }

    /**
     * The author of a change: the user who is logged in, otherwise the name in the body. So a user cannot sign for
     * another.
     */
    private static String by(Map<String, Object> fields, Optional<String> user) {
        return user.orElseGet(() -> text(fields, "by"));
    }

    /** A field that must be a text without control characters, since others will see it. */
    private static String text(Map<String, Object> fields, String name) {
        if (!(fields.get(name) instanceof String text) || text.isBlank()) {
            throw refused(name + " is not there; allowed: a text");
        }
        String stripped = text.strip();
        if (stripped.length() > MAXIMUM_TEXT || UNFIT.matcher(stripped).find()) {
            throw refused(name + " is too long or has control characters; allowed: 1.." + MAXIMUM_TEXT + " characters");
        }
        return stripped;
    }

    private static RequestRefusedException refused(String message) {
        return new RequestRefusedException(400, message);
    }
}
