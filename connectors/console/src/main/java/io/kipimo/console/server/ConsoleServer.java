package io.kipimo.console.server;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Serves the page and what it shows, on one event loop. */
public final class ConsoleServer implements AutoCloseable {
    private static final long PUSH_MILLIS = 1_000;

    private final Vertx vertx = Vertx.vertx();
    private final Content content;
    private final PageFiles files;
    private HttpServer http;

    private ConsoleServer(Content content, PageFiles files) {
        this.content = content;
        this.files = files;
    }

    /**
     * Serves when this returns.
     *
     * @param port 0: any that is free
     */
    public static ConsoleServer start(String host, int port, Content content, PageFiles files)
            throws Exception {
        ConsoleServer server = new ConsoleServer(content, files);
        server.http =
                server.vertx
                        .createHttpServer(new HttpServerOptions())
                        .requestHandler(server::handle)
                        .listen(port, host)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS);
        return server;
    }

    public int port() {
        return http.actualPort();
    }

    private void handle(HttpServerRequest request) {
        String path = request.path();
        HttpServerResponse response = request.response();
        response.putHeader("Content-Security-Policy", "default-src 'self'");
        if (path.equals("/api/state")) {
            json(response, Optional.of(content.state()));
        } else if (path.equals("/api/summary")) {
            json(response, Optional.of(content.summary()));
        } else if (path.startsWith("/api/services/")) {
            json(response, content.service(path.substring("/api/services/".length())));
        } else if (path.equals("/api/events")) {
            stream(request);
        } else {
            files.find(path.equals("/") ? "index.html" : path.substring(1))
                    .ifPresentOrElse(
                            file ->
                                    response.putHeader(HttpHeaders.CONTENT_TYPE, file.type())
                                            .end(file.plain()),
                            () -> response.setStatusCode(404).end());
        }
    }

    private static void json(HttpServerResponse response, Optional<byte[]> body) {
        response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        if (body.isEmpty()) {
            response.setStatusCode(404).end("{\"error\":\"no such service\"}");
        } else {
            response.end(Buffer.buffer(body.get()));
        }
    }

    private void stream(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream");
        Runnable push =
                () -> {
                    response.write(Rendered.event("summary", content.summary()).plain());
                    Optional.ofNullable(request.getParam("service"))
                            .flatMap(content::service)
                            .ifPresent(s -> response.write(Rendered.event("service", s).plain()));
                };
        push.run();
        long timer = vertx.setPeriodic(PUSH_MILLIS, id -> push.run());
        response.closeHandler(closed -> vertx.cancelTimer(timer));
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
