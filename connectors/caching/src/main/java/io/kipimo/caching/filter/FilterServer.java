package io.kipimo.caching.filter;

import io.kipimo.http.Cors;
import io.kipimo.http.Limits;
import io.kipimo.http.PageServer;
import io.kipimo.http.Reply;
import io.kipimo.sdk.caching.CachingClient;
import io.kipimo.sdk.internal.exposition.Exposition;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Serves {@code GET} {@value #PATH}, for origins that do not serve the filter themselves, and {@code GET /healthz} and
 * {@code /metrics}.
 */
public final class FilterServer implements AutoCloseable {
    public static final String PATH = "/stale-filter";

    private static final List<String> READ_BY_CLIENTS = List.of(
            CachingClient.FILTER_HASHES, CachingClient.FILTER_AGE_MILLIS, CachingClient.FILTER_WINDOWS, "ETag", "Age");

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
        return start(publisher, Set.of(), host, port);
    }

    /**
     * Starts the server; it accepts requests when this returns.
     *
     * @param origins origins of pages that may read the filter, besides the server's own, in the form of {@link Cors}
     * @throws IllegalArgumentException if an origin is invalid
     */
    public static FilterServer start(FilterPublisher publisher, Set<String> origins, String host, int port)
            throws IOException, InterruptedException {
        Cors cors = new Cors(origins, List.of("If-None-Match"), READ_BY_CLIENTS);
        return new FilterServer(new PageServer(Limits.DEFAULT)
                .cors(PATH, cors)
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
