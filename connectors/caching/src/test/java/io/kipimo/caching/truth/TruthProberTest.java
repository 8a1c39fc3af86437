package io.kipimo.caching.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.caching.purge.KeyPaths;
import io.kipimo.core.stale.CacheTruthProbe;
import io.kipimo.sdk.caching.CachingClient;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TruthProberTest {
    private static final int KEYS = 8;

    private final Vertx vertx = Vertx.vertx();
    private final Queue<HttpServerRequest> filters = new ConcurrentLinkedQueue<>();
    private final AtomicInteger origins = new AtomicInteger();

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void answer(HttpServerRequest request) {
        boolean isClient = String.valueOf(request.getHeader("Accept")).contains(CachingClient.FILTER_WITH_WINDOWS);
        if (request.path().equals("/stale-filter") && !isClient) {
            filters.add(request);
            return;
        }
        if ("no-cache".equals(request.getHeader("Cache-Control"))) {
            origins.incrementAndGet();
        }
        var unused = request.response().putHeader(CachingClient.VERSION, "1").end();
    }

    /** Eight keys are looked at together; their filter comes when all of them wait for it. */
    @Test
    void looksThatBeginTogetherShareTheFilter() {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        URI origin = URI.create("http://127.0.0.1:" + server.actualPort());
        TruthProber.Probing settings = new TruthProber.Probing(
                "probe-1",
                Set.of("shop/things"),
                origin,
                List.of(origin),
                Optional.of(origin.resolve("/stale-filter")),
                new KeyPaths("/{key}", "/{key}"),
                60_000,
                Duration.ofMinutes(1),
                new CacheTruthProbe.Watching(List.of(3_600_000L), 1, true, KEYS));
        try (TruthProber prober = TruthProber.start(settings)) {
            for (int i = 0; i < KEYS; i++) {
                prober.written("shop", "things", "k" + i, false);
            }
            int[] requests = {0};
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                for (HttpServerRequest held = filters.poll(); held != null; held = filters.poll()) {
                    requests[0]++;
                    var unused = held.response().setStatusCode(503).end();
                }
                return origins.get() >= KEYS;
            });

            assertThat(requests[0]).isBetween(1, KEYS - 1);
        }
    }

    /** Eight workers wait for the answers of eight keys; others are read nevertheless. */
    @Test
    void answersThatDribbleKeepNoKeyFromBeingRead() {
        AtomicInteger asked = new AtomicInteger();
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> {
                    asked.incrementAndGet();
                    var unused = request.response()
                            .setChunked(true)
                            .putHeader(CachingClient.VERSION, "1")
                            .write("x");
                })
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        URI origin = URI.create("http://127.0.0.1:" + server.actualPort());
        TruthProber.Probing settings = new TruthProber.Probing(
                "probe-1",
                Set.of("shop/things"),
                origin,
                List.of(origin),
                Optional.empty(),
                new KeyPaths("/{key}", "/{key}"),
                60_000,
                Duration.ofMillis(100),
                new CacheTruthProbe.Watching(List.of(3_600_000L), 1, true, 100));
        try (TruthProber prober = TruthProber.start(settings)) {
            int[] keys = {0};
            // On a busy machine a time-out may pass before its request was sent, so keys go on coming.
            await().until(() -> {
                for (int i = 0; i < KEYS; i++) {
                    prober.written("shop", "things", "k" + keys[0]++, false);
                }
                return asked.get() >= 60;
            });
        }
    }
}
