package io.kipimo.console.server;

import io.kipimo.http.Client;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Pushes the summary, and the details of one service if the client asks for them, once a second if something changed. A
 * slow client gets the newest content when it is ready and skips older content. If all streams are in use, a new one
 * replaces another, as in {@link Connections}; the replaced client reconnects.
 */
final class EventStreams {
    static final String TYPE = "text/event-stream";

    private static final long PUSH_MILLIS = 1_000;
    private static final long COMMENT_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final Rendered HELLO = Rendered.of("retry: 2000\n\n");
    private static final Rendered COMMENT = Rendered.of(": here\n\n");

    private final Documents documents;
    private final int most;
    private final Set<ClientStream> streams = new HashSet<>();

    EventStreams(Vertx vertx, Documents documents, int most) {
        this.documents = documents;
        this.most = most;
        vertx.setPeriodic(PUSH_MILLIS, timer -> Set.copyOf(streams).forEach(ClientStream::push));
    }

    int size() {
        return streams.size();
    }

    /**
     * Opens a stream.
     *
     * @param service service whose details are pushed in addition to the summary
     * @throws RequestRefusedException if the limit of streams is reached, and all streams belong to clients that have
     *     shown the console's token
     */
    void open(HttpServerRequest request, Client client, Optional<String> service) {
        if (streams.size() >= most) {
            makeRoom(client);
        }
        HttpServerResponse response = request.response();
        boolean zipped = ConsoleServer.takesGzip(request);
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, TYPE)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        if (zipped) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip")
                    .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                    .write(Rendered.GZIP_HEADER);
        }
        client.streams();
        ClientStream stream = new ClientStream(client, response, zipped, service);
        streams.add(stream);
        response.closeHandler(closed -> streams.remove(stream));
        response.exceptionHandler(failed -> streams.remove(stream));
        stream.write(HELLO);
        stream.push();
    }

    private void makeRoom(Client newcomer) {
        Map<String, Long> byAddress =
                streams.stream().collect(Collectors.groupingBy(s -> s.client.address(), Collectors.counting()));
        ClientStream first = streams.stream()
                .min(Comparator.comparing((ClientStream s) -> s.client.isKnown())
                        .thenComparing(s -> -byAddress.get(s.client.address()))
                        .thenComparing(s -> s.client.sinceNanos()))
                .orElseThrow();
        if (first.client.isKnown() && !newcomer.isKnown()) {
            throw new RequestRefusedException(503, "too many event streams; allowed: " + most);
        }
        streams.remove(first);
        first.client.close();
    }

    /** The stream of one client. */
    private final class ClientStream {
        private final Client client;
        private final HttpServerResponse response;
        private final boolean zipped;
        private final Optional<String> service;
        private Rendered lastSummary;
        private Rendered lastService;
        private boolean busy;
        private long wroteAtNanos = System.nanoTime();

        ClientStream(Client client, HttpServerResponse response, boolean zipped, Optional<String> service) {
            this.client = client;
            this.response = response;
            this.zipped = zipped;
            this.service = service;
        }

        /** Pushes changes since the last push, once the client has read the last push. */
        void push() {
            if (busy || response.ended() || response.closed()) {
                return;
            }
            if (response.writeQueueFull()) {
                busy = true;
                response.drainHandler(drained -> {
                    busy = false;
                    push();
                });
                return;
            }
            busy = true;
            Future<Optional<Rendered>> summary = documents.summary();
            Future<Optional<Rendered>> details =
                    service.map(documents::service).orElseGet(() -> Future.succeededFuture(Optional.empty()));
            Future.all(summary, details).onComplete(both -> {
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
            summary.filter(s -> s != lastSummary).ifPresent(s -> {
                lastSummary = s;
                write(s.asEvent("summary"));
            });
            details.filter(s -> s != lastService).ifPresent(s -> {
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
