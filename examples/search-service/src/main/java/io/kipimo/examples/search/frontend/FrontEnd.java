package io.kipimo.examples.search.frontend;

import io.kipimo.examples.http.HttpServers;
import io.kipimo.examples.search.index.QueryForecast;
import io.kipimo.examples.search.protocol.EpochMicros;
import io.kipimo.examples.search.protocol.Headers;
import io.kipimo.sdk.trace.TraceParent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Serves one class of queries at one port. {@code GET /search?q=QUERY} is answered by the deadline with JSON
 * {@code {"traceId", "components", "coverage", "items": [{"id", "score"}]}}, best item first. Coverage is the number of
 * components in the answer. If the class is under admission control, a shed query is answered with 429 and
 * {@code Retry-After}.
 */
public final class FrontEnd {
    /**
     * Limit of connections to a component. A request keeps its connection until its late result arrives, so more are
     * needed than a pool usually has.
     */
    private static final int CONNECTIONS = 1024;

    private final Vertx vertx;
    private final FrontEndSettings settings;
    private final QueryClassPort classPort;
    private final List<ComponentAddress> components;
    private final QueryForecast forecast;
    private final Telemetry telemetry;
    private final HttpClient client;
    private final HttpServer server;

    /**
     * The class that a front end serves.
     *
     * @param queryClass priority class of all its queries
     * @param port 0 for a free one
     * @param underAdmission whether queries may be shed
     */
    public record QueryClassPort(String queryClass, int port, boolean underAdmission) {}

    private FrontEnd(
            Vertx vertx,
            FrontEndSettings settings,
            QueryClassPort classPort,
            List<ComponentAddress> components,
            QueryForecast forecast,
            Telemetry telemetry) {
        this.vertx = vertx;
        this.settings = settings;
        this.classPort = classPort;
        this.components = List.copyOf(components);
        this.forecast = forecast;
        this.telemetry = telemetry;
        client = vertx.createHttpClient(
                new HttpClientOptions().setConnectTimeout(1_000), new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        server = vertx.createHttpServer(HttpServers.onLoopback(classPort.port()).setAcceptBacklog(1024))
                .requestHandler(this::onRequest);
    }

    /**
     * Starts a server on 127.0.0.1.
     *
     * @param forecast predicts figures of a query before components are asked
     */
    public static Future<FrontEnd> start(
            Vertx vertx,
            FrontEndSettings settings,
            QueryClassPort classPort,
            List<ComponentAddress> components,
            QueryForecast forecast,
            Telemetry telemetry) {
        FrontEnd frontEnd = new FrontEnd(vertx, settings, classPort, components, forecast, telemetry);
        return frontEnd.server.listen().map(frontEnd);
    }

    public int port() {
        return server.actualPort();
    }

    public Future<Void> close() {
        return server.close().compose(closed -> client.close());
    }

    private void onRequest(HttpServerRequest request) {
        if (!request.path().equals("/search")) {
            request.response().setStatusCode(404).end();
            return;
        }
        String text = request.getParam("q", "");
        long now = EpochMicros.now();
        long start;
        try {
            start = start(request.getHeader(Headers.INTENDED_START), now);
        } catch (NumberFormatException e) {
            request.response().setStatusCode(400).end(Headers.INTENDED_START + " is not a whole number");
            return;
        }
        if (text.isBlank()) {
            request.response().setStatusCode(400).end("no query: q is empty");
            return;
        }
        TraceParent trace = TraceParent.parse(request.getHeader(TraceParent.HEADER))
                .orElseGet(() -> TraceParent.start(ThreadLocalRandom.current()));
        OfferedQuery query = new OfferedQuery(classPort.queryClass(), trace.traceId(), forecast.cost(text));
        telemetry.offered(query);
        if (classPort.underAdmission() && !telemetry.admits(query)) {
            telemetry.rejected(query);
            request.response().setStatusCode(429).putHeader("Retry-After", "1").end();
            return;
        }
        new ScatterGather(
                        vertx,
                        client,
                        settings,
                        components,
                        telemetry,
                        new ScatterGather.GatheredQuery(
                                query,
                                trace,
                                String.join(",", request.headers().getAll("tracestate")),
                                text,
                                forecast.features(text),
                                start),
                        request.response())
                .run();
    }

    /**
     * Start of a query, epoch microseconds. An intended start in the future or more than 10 s ago is ignored, because
     * then the caller's clock is wrong.
     */
    private static long start(String intendedMicros, long nowMicros) {
        if (intendedMicros == null) {
            return nowMicros;
        }
        long intended = Long.parseLong(intendedMicros);
        return intended > nowMicros || intended < nowMicros - 10_000_000 ? nowMicros : intended;
    }
}
