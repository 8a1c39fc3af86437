package io.kipimo.labs.demos.caching;

import io.kipimo.caching.filter.FilterServer;
import io.kipimo.examples.http.HttpServers;
import io.kipimo.http.Reply;
import io.kipimo.labs.demos.caching.ProductStore.ProductContent;
import io.kipimo.sdk.caching.CachingClient;
import io.kipimo.sdk.caching.OriginRead;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The origin. It serves {@code GET /TABLE/KEY} of a product or a query, {@code PUT /TABLE/PRODUCT} with a price, and
 * {@code GET /stale-filter}. Every answer is delayed, to simulate a distant origin.
 */
final class OriginServer implements AutoCloseable {
    /** Header of an answer with the number of its content. It serves only the demo's own measurement. */
    static final String CONTENT = "Demo-Content";

    private final Vertx vertx;
    private final CachingDemoSettings settings;
    private final WayOfCaching way;
    private final ProductStore store;
    private final CachingPipeline pipeline;
    private final HttpServer server;
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong filterRequests = new AtomicLong();
    private final AtomicLong filterBytes = new AtomicLong();

    private OriginServer(
            Vertx vertx, CachingDemoSettings settings, WayOfCaching way, ProductStore store, CachingPipeline pipeline) {
        this.vertx = vertx;
        this.settings = settings;
        this.way = way;
        this.store = store;
        this.pipeline = pipeline;
        this.server = vertx.createHttpServer(HttpServers.onLoopback(0)).requestHandler(this::handle);
    }

    /** Starts an origin. Returns when it serves. */
    static OriginServer start(
            Vertx vertx, CachingDemoSettings settings, WayOfCaching way, ProductStore store, CachingPipeline pipeline) {
        OriginServer origin = new OriginServer(vertx, settings, way, store, pipeline);
        origin.server.listen().toCompletionStage().toCompletableFuture().join();
        return origin;
    }

    int port() {
        return server.actualPort();
    }

    /** Number of requests for records and queries. */
    long reads() {
        return reads.get();
    }

    long filterRequests() {
        return filterRequests.get();
    }

    /** Number of bytes of all filters sent. Answers with status 304 have none. */
    long filterBytes() {
        return filterBytes.get();
    }

    private void handle(HttpServerRequest request) {
        if (request.path().equals(FilterServer.PATH)) {
            filter(request);
            return;
        }
        String key = request.path().substring(request.path().lastIndexOf('/') + 1);
        if (request.method().equals(HttpMethod.PUT)) {
            request.body().onSuccess(body -> write(request, key, body));
        } else if (request.method().equals(HttpMethod.GET)) {
            reads.incrementAndGet();
            read(request, key);
        } else {
            request.response().setStatusCode(405).end();
        }
    }

    private void filter(HttpServerRequest request) {
        vertx.executeBlocking(
                        () -> pipeline.filter()
                                .reply(
                                        header(request, "If-None-Match"),
                                        header(request, "Accept-Encoding"),
                                        header(request, "Accept")),
                        false)
                .onSuccess(reply -> {
                    filterRequests.incrementAndGet();
                    filterBytes.addAndGet(reply.body().length);
                    later(() -> send(request.response(), reply));
                });
    }

    private static void send(HttpServerResponse response, Reply reply) {
        reply.headers().forEach(response::putHeader);
        var unused = response.setStatusCode(reply.status()).end(Buffer.buffer(reply.body()));
    }

    private void read(HttpServerRequest request, String key) {
        if (!way.hasCaches()) {
            answer(request, key, new OriginRead(System.currentTimeMillis(), 0));
            return;
        }
        Context context = vertx.getOrCreateContext();
        pipeline.ttlMillis(key)
                .thenCompose(ttlMillis -> reported(key, ttlMillis))
                .whenComplete((read, failure) -> context.runOnContext(v ->
                        answer(request, key, failure == null ? read : new OriginRead(System.currentTimeMillis(), 0))));
    }

    /** Reports a read. The result completes with the read when it was reported. */
    private CompletionStage<OriginRead> reported(String key, long ttlMillis) {
        OriginRead read = new OriginRead(System.currentTimeMillis(), ttlMillis);
        return pipeline.reportRead(key, read.expiryMillis()).thenApply(done -> read);
    }

    /** Evaluates a read and answers it. To be called only after the read was reported. */
    private void answer(HttpServerRequest request, String key, OriginRead read) {
        ProductContent content = store.read(key);
        if (content == null) {
            later(() -> request.response().setStatusCode(404).end());
            return;
        }
        if (way.hasCaches()) {
            pipeline.read(key, content, read.evaluatedMillis(), read.ttlMillis());
        }
        later(() -> send(request, content, read));
    }

    private static void send(HttpServerRequest request, ProductContent content, OriginRead read) {
        String etag = '"' + Integer.toHexString(content.json().hashCode()) + '"';
        HttpServerResponse response = request.response()
                .putHeader("ETag", etag)
                .putHeader(CachingClient.VERSION, String.valueOf(content.position()))
                .putHeader(CONTENT, String.valueOf(content.number()));
        read.headers(System.currentTimeMillis()).forEach(response::putHeader);
        if (etag.equals(request.getHeader("If-None-Match"))) {
            var unused = response.setStatusCode(304).end();
        } else {
            var unused = response.putHeader("Content-Type", "application/json").end(content.json());
        }
    }

    private void write(HttpServerRequest request, String id, Buffer body) {
        Context context = vertx.getOrCreateContext();
        ProductStore.Written written = store.write(id, Long.parseLong(body.toString()));
        if (written == null) {
            var unused = request.response().setStatusCode(404).end();
            return;
        }
        pipeline.wrote(written.after())
                .whenComplete((done, failure) ->
                        context.runOnContext(v -> later(() -> acknowledge(request, written, failure))));
    }

    private static void acknowledge(HttpServerRequest request, ProductStore.Written written, Throwable failure) {
        var unused = request.response()
                .setStatusCode(failure == null ? 204 : 503)
                .putHeader(CachingClient.VERSION, String.valueOf(written.position()))
                .end();
    }

    private void later(Runnable answer) {
        vertx.setTimer(Math.max(1, settings.originDelay().toMillis()), id -> answer.run());
    }

    private static String header(HttpServerRequest request, String name) {
        String value = request.getHeader(name);
        return value == null ? "" : value;
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
    }
}
