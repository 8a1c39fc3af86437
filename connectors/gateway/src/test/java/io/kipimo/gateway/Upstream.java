package io.kipimo.gateway;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.atomic.AtomicInteger;

/** A server behind a gateway. */
final class Upstream implements AutoCloseable {
    /** Of all servers of this JVM. */
    private static final Vertx VERTX = Vertx.vertx();

    private final HttpServer server;
    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger broken = new AtomicInteger();

    private Upstream(Handler<HttpServerRequest> handler, HttpServerOptions options) {
        server = VERTX.createHttpServer(options.setHost("127.0.0.1")).requestHandler(request -> {
            requests.incrementAndGet();
            request.response().closeHandler(v -> {
                if (!request.response().ended()) {
                    broken.incrementAndGet();
                }
            });
            handler.handle(request);
        });
        server.listen().toCompletionStage().toCompletableFuture().join();
    }

    static Upstream start(Handler<HttpServerRequest> handler) {
        return new Upstream(handler, new HttpServerOptions().setPort(0));
    }

    static Upstream start(int port, Handler<HttpServerRequest> handler) {
        return new Upstream(handler, new HttpServerOptions().setPort(port));
    }

    /** Starts a server with TLS, for instance. */
    static Upstream start(HttpServerOptions options, Handler<HttpServerRequest> handler) {
        return new Upstream(handler, options.setPort(0));
    }

    /** Answers after a delay. */
    static Handler<HttpServerRequest> after(long millis, String text) {
        return request -> {
            if (millis == 0) {
                request.response().end(text);
            } else {
                Vertx.currentContext().owner().setTimer(millis, t -> {
                    if (!request.response().closed()) {
                        request.response().end(text);
                    }
                });
            }
        };
    }

    int port() {
        return server.actualPort();
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
    }
}
