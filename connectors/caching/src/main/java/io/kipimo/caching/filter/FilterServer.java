package io.kipimo.caching.filter;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves {@code GET} {@value #PATH}, for origins that do not serve the filter themselves, and
 * {@code GET /healthz}.
 */
public final class FilterServer implements AutoCloseable {
    public static final String PATH = "/stale-filter";

    private static final int THREADS = 4;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private FilterServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts the server; it accepts requests when this returns.
     *
     * @param port 0: any free port
     * @throws IOException if the port cannot be opened
     */
    public static FilterServer start(FilterPublisher publisher, String host, int port)
            throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(host, port), 0);
        FilterServer server = new FilterServer(http);
        http.setExecutor(server.threads);
        http.createContext(PATH, exchange -> answer(publisher, exchange));
        http.createContext(
                "/healthz",
                exchange -> {
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
        http.start();
        return server;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private static void answer(FilterPublisher publisher, HttpExchange exchange)
            throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET");
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            FilterReply reply =
                    publisher.reply(
                            header(exchange, "If-None-Match"), header(exchange, "Accept-Encoding"));
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            boolean isEmpty = reply.body().length == 0;
            exchange.sendResponseHeaders(reply.status(), isEmpty ? -1 : reply.body().length);
            if (!isEmpty) {
                exchange.getResponseBody().write(reply.body());
            }
        }
    }

    private static String header(HttpExchange exchange, String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
