package io.kipimo.http;

import io.kipimo.sdk.internal.exposition.Exposition;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves pages on an event loop of its own. It never waits for a client: {@link Limits} bound connections, heads,
 * bodies and unread responses. Health does not wait for a page that blocks, because pages are made on other threads.
 *
 * <pre>
 * GET /healthz   ok, from the event loop
 * GET PATH       what {@link #page} was given; other paths: 404
 * </pre>
 */
public final class PageServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PageServer.class);
    private static final int PATIENCE_SECONDS = 10;
    private static final int WORKERS = 4;

    /** Largest request line, and largest sum of headers. */
    private static final int MOST_HEAD_BYTES = 8 << 10;

    private final Vertx vertx;
    private final Connections connections;
    private final Map<String, Handler<HttpServerRequest>> handlers = new ConcurrentHashMap<>();
    private final Map<String, Cors> cors = new ConcurrentHashMap<>();
    private HttpServer server;

    public PageServer(Limits limits) {
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(WORKERS)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        connections = new Connections(vertx, limits);
        handlers.put("/healthz", request -> send(request, Reply.of("text/plain", "ok\n")));
    }

    /**
     * Starts a server of {@code /metrics}; it accepts requests when this returns.
     *
     * @param port 0: any free port
     * @param page in Prometheus' text format; called for each request
     * @throws IOException if the port cannot be opened
     */
    public static PageServer ofMetrics(String host, int port, Supplier<String> page)
            throws IOException, InterruptedException {
        return new PageServer(Limits.DEFAULT)
                .page("/metrics", request -> Reply.of(Exposition.CONTENT_TYPE, page.get()))
                .listen(host, port);
    }

    /** Adds a page, which may block. */
    public PageServer page(String path, Function<HttpServerRequest, Reply> page) {
        return handler(path, request -> vertx.executeBlocking(() -> page.apply(request), false)
                .onSuccess(reply -> send(request, reply))
                .onFailure(e -> {
                    LOG.error("{} failed", path, e);
                    send(request, new Reply(500, Map.of(), new byte[0]));
                }));
    }

    /** Adds a handler of GET and HEAD, which is called on the event loop and must not block. */
    public PageServer handler(String path, Handler<HttpServerRequest> handler) {
        handlers.put(path, handler);
        return this;
    }

    /** Lets pages of other origins read a path. */
    public PageServer cors(String path, Cors pages) {
        cors.put(path, pages);
        return this;
    }

    /**
     * Starts the server; it accepts requests when this returns.
     *
     * @param port 0: any free port
     * @throws IOException if the port cannot be opened; the server is closed
     */
    public PageServer listen(String host, int port) throws IOException, InterruptedException {
        return listen(host, port, this::handle, this::refuse);
    }

    /**
     * Starts the server as {@link #listen(String, int)} does, with handlers for all requests in place of pages.
     *
     * @param refused handles a malformed head, with its {@code decoderResult}
     */
    public PageServer listen(String host, int port, Handler<HttpServerRequest> all, Handler<HttpServerRequest> refused)
            throws IOException, InterruptedException {
        try {
            server = vertx.createHttpServer(new HttpServerOptions()
                            .setMaxInitialLineLength(MOST_HEAD_BYTES)
                            .setMaxHeaderSize(MOST_HEAD_BYTES)
                            .setCompressionSupported(false)
                            .setHttp2ClearTextEnabled(false))
                    .connectionHandler(connections::opened)
                    .requestHandler(request -> {
                        // Otherwise it was replaced by another connection.
                        if (connections.of(request) != null) {
                            handle(request, all);
                        }
                    })
                    .invalidRequestHandler(refused)
                    .listen(port, host)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return this;
        } catch (ExecutionException | TimeoutException e) {
            close();
            Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
            throw new IOException("cannot listen on " + host + ':' + port + ": " + cause.getMessage(), cause);
        }
    }

    public int port() {
        return server.actualPort();
    }

    /** Vert.x, which runs the server; blocking work belongs on its worker threads. */
    public Vertx vertx() {
        return vertx;
    }

    public Connections connections() {
        return connections;
    }

    /** Handles a request. If the handler fails, the response is 500: otherwise the client would wait. */
    private static void handle(HttpServerRequest request, Handler<HttpServerRequest> all) {
        try {
            all.handle(request);
        } catch (RuntimeException e) {
            LOG.error("{} failed", request.path(), e);
            send(request, new Reply(500, Map.of(), new byte[0]));
        }
    }

    /** Whether the parameters of the address can be decoded; {@code %zz} cannot. */
    private static boolean hasParameters(HttpServerRequest request) {
        try {
            return request.params() != null;
        } catch (IllegalArgumentException e) {
            LOG.debug("the parameters cannot be read", e);
            return false;
        }
    }

    private void handle(HttpServerRequest request) {
        Handler<HttpServerRequest> handler = handlers.get(request.path());
        Cors pages = cors.get(request.path());
        if (pages != null) {
            pages.permit(request);
        }
        if (handler == null) {
            send(request, new Reply(404, Map.of(), new byte[0]));
        } else if (pages != null && request.method().equals(HttpMethod.OPTIONS)) {
            send(request, pages.preflight());
        } else if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            send(request, new Reply(405, Map.of("Allow", "GET, HEAD"), new byte[0]));
        } else if (!hasParameters(request)) {
            byte[] why = "the address has a broken escape; allowed: %XX\n".getBytes(StandardCharsets.UTF_8);
            send(request, new Reply(400, Map.of("Content-Type", "text/plain; charset=utf-8"), why));
        } else {
            handler.handle(request);
        }
    }

    private void refuse(HttpServerRequest request) {
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        send(request, new Reply(refusal(request.decoderResult().cause()), Map.of(), new byte[0]));
    }

    /** HTTP status of the response to a malformed head. */
    public static int refusal(Throwable cause) {
        if (cause instanceof HeadRefusedException refused) {
            return refused.status();
        }
        return cause instanceof TooLongHttpLineException
                ? 414
                : cause instanceof TooLongHttpHeaderException ? 431 : 400;
    }

    /** Sends a response, without its body if the request is HEAD. */
    public static void send(HttpServerRequest request, Reply reply) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(reply.status());
        reply.headers().forEach(response::putHeader);
        if (reply.status() != 304 && reply.status() != 204) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(reply.body().length));
        }
        if (request.method().equals(HttpMethod.HEAD) || reply.body().length == 0) {
            response.end();
        } else {
            response.end(Buffer.buffer(reply.body()));
        }
    }

    @Override
    public void close() {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("a page server did not stop cleanly: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
