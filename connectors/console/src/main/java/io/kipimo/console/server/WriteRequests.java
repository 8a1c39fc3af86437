package io.kipimo.console.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what a person wants changed, and has it done off the event loop. */
final class WriteRequests {
    private static final int MAXIMUM_BODY_BYTES = 8 * 1024;
    private static final int MAXIMUM_TEXT = 256;
    private static final long LONGEST_MILLIS = 30L * 24 * 3600 * 1000;
    private static final JsonFactory JSON = new JsonFactory();

    private final Vertx vertx;
    private final Writes writes;

    WriteRequests(Vertx vertx, Writes writes) {
        this.vertx = vertx;
        this.writes = writes;
    }

    /** The policy's version afterwards; fails with {@link RefusedException}. */
    Future<Long> override(HttpServerRequest request, String service, String queryClass) {
        return body(request)
                .compose(
                        body -> {
                            Map<String, Object> fields =
                                    fields(body, Set.of("fraction", "forMillis", "by", "reason"));
                            double fraction = number(fields, "fraction");
                            if (!(fraction >= 0 && fraction <= 1)) {
                                throw refused("fraction is " + fraction + "; allowed: 0..1");
                            }
                            double millis = number(fields, "forMillis");
                            if (!(millis >= 1000 && millis <= LONGEST_MILLIS)) {
                                throw refused(
                                        "forMillis is "
                                                + fields.get("forMillis")
                                                + "; allowed: 1000.."
                                                + LONGEST_MILLIS);
                            }
                            Writes.OverrideRequest override =
                                    new Writes.OverrideRequest(
                                            fraction,
                                            (long) millis,
                                            text(fields, "by"),
                                            text(fields, "reason"));
                            return vertx.executeBlocking(
                                    () ->
                                            writes.override(
                                                    service, queryClass, Optional.of(override)));
                        });
    }

    /** The policy's version afterwards; fails with {@link RefusedException}. */
    Future<Long> clearOverride(String service, String queryClass) {
        return vertx.executeBlocking(() -> writes.override(service, queryClass, Optional.empty()));
    }

    /** The policy's version afterwards; fails with {@link RefusedException}. */
    Future<Long> killSwitch(HttpServerRequest request, String service) {
        return body(request)
                .compose(
                        body -> {
                            Map<String, Object> fields = fields(body, Set.of("on", "by", "reason"));
                            if (!(fields.get("on") instanceof Boolean on)) {
                                throw refused(
                                        "on is " + fields.get("on") + "; allowed: true or false");
                            }
                            String by = text(fields, "by");
                            String reason = text(fields, "reason");
                            return vertx.executeBlocking(
                                    () -> writes.killSwitch(service, on, by, reason));
                        });
    }

    private static Future<Buffer> body(HttpServerRequest request) {
        String type = String.valueOf(request.getHeader(HttpHeaders.CONTENT_TYPE));
        if (!type.startsWith("application/json")) {
            return Future.failedFuture(
                    new RefusedException(
                            415, "Content-Type is not that; allowed: application/json"));
        }
        Promise<Buffer> whole = Promise.promise();
        Buffer body = Buffer.buffer();
        request.handler(
                chunk -> {
                    if (body.length() + chunk.length() > MAXIMUM_BODY_BYTES) {
                        whole.tryFail(
                                new RefusedException(
                                        413,
                                        "body is too long; allowed: "
                                                + MAXIMUM_BODY_BYTES
                                                + " bytes"));
                    } else {
                        body.appendBuffer(chunk);
                    }
                });
        request.endHandler(end -> whole.tryComplete(body));
        request.exceptionHandler(whole::tryFail);
        return whole.future();
    }

    /** A flat object: names and plain values. */
    private static Map<String, Object> fields(Buffer body, Set<String> allowed) {
        Map<String, Object> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(body.getBytes())) {
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
                throw refused("body goes on after its end; allowed: one object");
            }
        } catch (IOException e) {
            throw new RefusedException(400, "body is no JSON; allowed: " + allowed, e);
        }
        return fields;
    }

    private static Object value(String name, JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        return switch (token) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default ->
                    throw refused(name + " is not plain; allowed: a text, a number, true, false");
        };
    }

    private static double number(Map<String, Object> fields, String name) {
        if (fields.get(name) instanceof Double number) {
            return number;
        }
        throw refused(
                name
                        + " is "
                        + (fields.containsKey(name) ? "no" : "not there; allowed: a")
                        + " number");
    }

    /** Shown to others, so without control characters. */
    private static String text(Map<String, Object> fields, String name) {
        if (!(fields.get(name) instanceof String text) || text.isBlank()) {
            throw refused(name + " is not there; allowed: a text");
        }
        String stripped = text.strip();
        if (stripped.length() > MAXIMUM_TEXT
                || stripped.chars().anyMatch(Character::isISOControl)) {
            throw refused(
                    name
                            + " is too long or has control characters; allowed: 1.."
                            + MAXIMUM_TEXT
                            + " characters");
        }
        return stripped;
    }

    private static RefusedException refused(String message) {
        return new RefusedException(400, message);
    }
}
