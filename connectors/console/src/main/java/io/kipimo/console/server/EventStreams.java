package io.kipimo.console.server;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Pushes the summary, and to who asks for it one service, once a second when something changed. A
 * client that takes longer gets the newest when it is ready, and nothing in between.
 */
final class EventStreams {
    static final int MAXIMUM = 256;

    private static final long PUSH_MILLIS = 1_000;
    private static final long COMMENT_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final Rendered HELLO = Rendered.of("retry: 2000\n\n");
    private static final Rendered COMMENT = Rendered.of(": here\n\n");

    private final Documents documents;
    private final Set<Stream> streams = new HashSet<>();

    EventStreams(Vertx vertx, Documents documents) {
        this.documents = documents;
        vertx.setPeriodic(PUSH_MILLIS, timer -> Set.copyOf(streams).forEach(Stream::push));
    }

    int size() {
        return streams.size();
    }

    /**
     * @param service whose details are wanted too
     * @throws RefusedException if there are too many already
     */
    void open(HttpServerRequest request, Optional<String> service) {
        if (streams.size() >= MAXIMUM) {
            throw new RefusedException(503, "too many look already; allowed: " + MAXIMUM);
        }
        HttpServerResponse response = request.response();
        boolean zipped = ConsoleServer.takesGzip(request);
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        if (zipped) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip")
                    .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                    .write(Rendered.GZIP_HEADER);
        }
        Stream stream = new Stream(response, zipped, service);
        streams.add(stream);
        response.closeHandler(closed -> streams.remove(stream));
        response.exceptionHandler(failed -> streams.remove(stream));
        stream.write(HELLO);
        stream.push();
    }

    /** One client. */
    private final class Stream {
        private final HttpServerResponse response;
        private final boolean zipped;
        private final Optional<String> service;
        private Rendered lastSummary;
        private Rendered lastService;
        private boolean busy;
        private long wroteAtNanos = System.nanoTime();

        Stream(HttpServerResponse response, boolean zipped, Optional<String> service) {
            this.response = response;
            this.zipped = zipped;
            this.service = service;
        }

        /** What is new since the last push, if the client has taken that. */
        void push() {
            if (busy || response.ended() || response.closed()) {
                return;
            }
            if (response.writeQueueFull()) {
                busy = true;
                response.drainHandler(
                        drained -> {
                            busy = false;
                            push();
                        });
                return;
            }
            busy = true;
            Future<Optional<Rendered>> summary = documents.summary();
            Future<Optional<Rendered>> details =
                    service.map(documents::service)
                            .orElseGet(() -> Future.succeededFuture(Optional.empty()));
            Future.all(summary, details)
                    .onComplete(
                            both -> {
                                busy = false;
                                if (both.succeeded()) {
                                    write(summary.result(), details.result());
                                }
                            });
        }

        private void write(Optional<Rendered> summary, Optional<Rendered> details) {
            if (response.ended() || response.closed()) {
                return;
            }
            summary.filter(s -> s != lastSummary)
                    .ifPresent(
                            s -> {
                                lastSummary = s;
                                write(s.asEvent("summary"));
                            });
            details.filter(s -> s != lastService)
                    .ifPresent(
                            s -> {
                                lastService = s;
                                write(s.asEvent("service"));
                            });
            if (System.nanoTime() - wroteAtNanos >= COMMENT_NANOS) {
                write(COMMENT);
            }
        }

        void write(Rendered part) {
            Buffer bytes = zipped ? part.segment() : part.plain();
            response.write(bytes);
            wroteAtNanos = System.nanoTime();
        }
    }
}
