package io.kipimo.duplicates;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/** HTTP form of results, for duplicates and clients. */
final class ResultFormat {
    static final String VALUES = "/values";
    static final String WRITES = "/writes";
    static final String KEY = "key";
    static final String TICKET = "ticket";

    /** Header of a read: ticket of the write that the duplicate must at least have applied before it answers. */
    static final String AT_LEAST = "kipimo-at-least";

    private static final String AS_OF = "kipimo-as-of";
    private static final String APPLIED = "kipimo-applied";
    private static final String VERSION = "kipimo-version";

    private ResultFormat() {}

    static void send(HttpServerResponse response, ReadResult result) {
        response.putHeader(AS_OF, Long.toString(result.asOf()));
        response.setStatusCode(result.version().isPresent() ? 200 : 404);
        send(response, result.version());
    }

    static void send(HttpServerResponse response, WriteResult result) {
        response.putHeader(APPLIED, Boolean.toString(result.applied()));
        send(response, result.before());
    }

    private static void send(HttpServerResponse response, Optional<Version> version) {
        if (version.isEmpty()) {
            response.end();
            return;
        }
        response.putHeader(VERSION, Long.toString(version.get().ticket()))
                .putHeader("content-type", "application/octet-stream")
                .end(Buffer.buffer(version.get().value()));
    }

    static ReadResult readResult(MultiMap headers, Buffer body) {
        return new ReadResult(Long.parseLong(headers.get(AS_OF)), version(headers, body));
    }

    static WriteResult writeResult(long ticket, MultiMap headers, Buffer body) {
        return new WriteResult(ticket, Boolean.parseBoolean(headers.get(APPLIED)), version(headers, body));
    }

    private static Optional<Version> version(MultiMap headers, Buffer body) {
        return Optional.ofNullable(headers.get(VERSION))
                .map(ticket -> new Version(Long.parseLong(ticket), body.getBytes()));
    }
}
