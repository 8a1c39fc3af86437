package io.kipimo.examples.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.PurgeSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the requirements of filter and purger on each cache that is installed on this machine. */
class CacheChoiceITCase {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger content = new AtomicInteger();

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @ParameterizedTest
    @EnumSource(CacheChoice.class)
    void storesRenewsWhenAskedToAndForgetsWhatIsPurged(CacheChoice choice, @TempDir Path directory)
            throws Exception {
        Assumptions.assumeTrue(
                choice.isInstalled(), "SKIPPED: " + choice.title() + " is not installed here");
        HttpServer origin =
                vertx.createHttpServer()
                        .requestHandler(
                                request ->
                                        request.response()
                                                .putHeader("Cache-Control", "max-age=600")
                                                .end("content " + content.incrementAndGet()));
        origin.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        try (SharedCache cache = choice.start(vertx, origin.actualPort(), directory)) {
            URI product = cache.address().resolve("/products/p");
            PurgeSettings settings =
                    new PurgeSettings(
                            cache.kind(),
                            List.of(cache.address()),
                            "/{table}/{key}",
                            "/{table}/{key}",
                            2,
                            PATIENCE);
            CachePurger purger = CachePurger.of(settings);

            assertThat(get(product, false).body()).isEqualTo("content 1");
            HttpResponse<String> stored = get(product, false);
            assertThat(stored.body()).isEqualTo("content 1");
            assertThat(stored.headers().firstValue("Cache-Status"))
                    .hasValueSatisfying(status -> assertThat(status).contains("hit"));

            assertThat(get(product, true).body()).as("past the cache").isEqualTo("content 2");
            assertThat(get(product, false).body()).as("renewed").isEqualTo("content 2");

            purger.purge("/products/p", false).join();
            assertThat(purger.failed()).isZero();
            assertThat(get(product, false).body()).as("purged").isEqualTo("content 3");

            purger.purge("/products/p", true).join();
            assertThat(purger.failed()).isZero();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> get(product, false).body(), body -> !body.equals("content 3"));
        }
    }

    private HttpResponse<String> get(URI address, boolean pastCaches) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (pastCaches) {
            request.header("Cache-Control", "no-cache");
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
