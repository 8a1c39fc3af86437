package io.kipimo.endtoend.tiers;

import io.kipimo.examples.http.HttpServers;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The servers of a tier, and the gateway in front of them. A server has a core for each of the gateway's tokens, so a
 * copy never waits at a server. A copy takes the time of the next tier and then its own service time. Everything except
 * the constructor runs on one event loop.
 */
final class Tier implements AutoCloseable {
    private static final int CORES = 8;
    private static final String REQUEST = "request";

    /** Time within which all copies that are sent at once arrive. */
    private static final long SETTLING_MILLIS = 200;

    private final Vertx vertx;
    private final ServerTime time;
    private final Tier next;
    private final HttpClient client;
    private final Gateway gateway;
    private final int port;

    /** Number of servers that received a request, by its id; only for unsettled requests. */
    private final Map<Long, Integer> copies = new HashMap<>();

    private long requests;
    private volatile int newestCopies;

    /**
     * @param next tier tier that every copy calls first; null: this is the last tier
     * @param vertx with one event loop
     */
    Tier(String service, String name, int servers, ServerTime time, Tier next, KafkaSettings kafka, Vertx vertx)
            throws IOException, InterruptedException {
        this.vertx = vertx;
        this.time = time;
        this.next = next;
        client = vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(1_000));
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
            addresses.add("'127.0.0.1:" + listen(i) + "'");
        }
        gateway = Gateway.start(ConfigFile.read(
                """
                                service: %s
                                server: %s-gateway
                                threads: 1
                                admin: 127.0.0.1:0
                                kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
                                listeners:
                                  - name: %2$s
                                    listen: 127.0.0.1:0
                                    servers: [%5$s]
                                    cores: %6$d
                                    arbitration: {policy: tad, tokens: %6$d}
                                    limit: {enabled: false}
                                """.formatted(
                                service,
                                name,
                                kafka.bootstrapServers(),
                                kafka.topicPrefix(),
                                String.join(", ", addresses),
                                CORES),
                null,
                name));
        port = gateway.ports().get(name);
    }

    private int listen(int server) {
        return vertx.createHttpServer(HttpServers.onLoopback(0))
                .requestHandler(r -> serve(server, r))
                .listen()
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .actualPort();
    }

    /** Number of servers that received the newest request. */
    int newestCopies() {
        return newestCopies;
    }

    /** Sends a request to the gateway; completes with the first response. */
    Future<Void> ask() {
        long id = requests++;
        copies.put(id, 0);
        return client.request(new RequestOptions()
                        .setHost("127.0.0.1")
                        .setPort(port)
                        .setURI("/")
                        .putHeader(REQUEST, Long.toString(id)))
                .compose(request -> request.send())
                .compose(response -> response.statusCode() == 200
                        ? response.end()
                        : Future.failedFuture("status " + response.statusCode()))
                .onComplete(done -> vertx.setTimer(SETTLING_MILLIS, t -> settle(id)));
    }

    private void settle(long id) {
        newestCopies = copies.remove(id);
    }

    private void serve(int server, HttpServerRequest request) {
        copies.computeIfPresent(Long.valueOf(request.getHeader(REQUEST)), (id, before) -> before + 1);
        long millis = time.millis(server, System.currentTimeMillis());
        Future<Void> nextTier = next == null ? Future.succeededFuture() : next.ask();
        nextTier.onComplete(done -> vertx.setTimer(millis, t -> answer(request, done.succeeded() ? 200 : 502)));
    }

    private static void answer(HttpServerRequest request, int status) {
        if (!request.response().closed()) {
            request.response().setStatusCode(status).end();
        }
    }

    @Override
    public void close() {
        gateway.close();
    }
}
