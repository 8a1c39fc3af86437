package io.kipimo.caching.filter;

import io.kipimo.http.Limits;
import io.kipimo.http.PageServer;
import io.kipimo.http.Reply;
import io.kipimo.sdk.internal.exposition.Exposition;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * Serves {@code GET} {@value #PATH}, for origins that do not serve the filter themselves, and {@code GET /healthz} and
 * {@code /metrics}.
 */
public final class FilterServer implements AutoCloseable {
    public static final String PATH = "/stale-filter";

    private final PageServer server;

    private FilterServer(PageServer server) {
        this.server = server;
    }

    /**
     * Starts the server; it accepts requests when this returns.
     *
     * @param port 0: any free port
     * @throws IOException if the port cannot be opened
     */
    public static FilterServer start(FilterPublisher publisher, String host, int port)
            throws IOException, InterruptedException {
        return new FilterServer(new PageServer(Limits.DEFAULT)
                .page(PATH, request -> answer(publisher, request))
                .page("/metrics", request -> Reply.of(Exposition.CONTENT_TYPE, publisher.metrics()))
                .listen(host, port));
    }

    public int port() {
        return server.port();
    }

    private static Reply answer(FilterPublisher publisher, HttpServerRequest request) {
        return publisher.reply(
                header(request, "If-None-Match"), header(request, "Accept-Encoding"), header(request, "Accept"));
    }

    private static String header(HttpServerRequest request, String name) {
        return Optional.ofNullable(request.getHeader(name)).orElse("");
    }

    @Override
    public void close() {
        server.close();
    }
}
