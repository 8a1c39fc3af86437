package io.kipimo.labs.demos.caching;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.KeyPaths;
import io.kipimo.core.Effort;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the requirements of filter and purger on each cache that is installed on this machine. */
class CacheChoiceITCase {

    private static final String MODULE = "/usr/lib/nginx/modules/ngx_http_cache_purge_module.so";

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
    void storesRenewsWhenAskedToAndForgetsWhatIsPurged(CacheChoice choice, @TempDir Path directory) throws Exception {
        Assumptions.assumeTrue(choice.isInstalled(), "SKIPPED: " + choice.title() + " is not installed here");
        HttpServer origin = vertx.createHttpServer().requestHandler(request -> request.response()
                .putHeader("Cache-Control", "max-age=600")
                .end("content " + content.incrementAndGet()));
        origin.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        try (SharedCache cache = choice.start(vertx, origin.actualPort(), directory)) {
            URI product = cache.address().resolve("/products/p");
            CachePurger.Purging settings = new CachePurger.Purging(
                    cache.kind(),
                    List.of(cache.address()),
                    new KeyPaths("/{table}/{key}", "/{table}/{key}"),
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

    /** What an origin may do to a stored answer; the next answer has another body. */
    enum Change {
        RENEWED,
        DELETED,
        NO_STORE,
        COOKIE,
        VARIANTS,
        ONE_OTHER_VARIANT_THEN_DELETED
    }

    /** Caches as they may be configured. */
    enum Setting {
        VARNISH(CacheChoice.VARNISH),
        VARNISH_WITHOUT_PURGE(CacheChoice.VARNISH),
        NGINX(CacheChoice.NGINX),
        NGINX_THAT_SERVES_STALE(CacheChoice.NGINX),
        NGINX_WITH_MODULE(CacheChoice.NGINX),
        NGINX_WITH_VARIANTS(CacheChoice.NGINX),
        NGINX_THAT_RENEWS_ONLY(CacheChoice.NGINX),
        NGINX_WITHOUT_BYPASS(CacheChoice.NGINX);

        private final CacheChoice choice;

        Setting(CacheChoice choice) {
            this.choice = choice;
        }

        String change(String text) {
            return switch (this) {
                case VARNISH, NGINX -> text;
                case NGINX_THAT_SERVES_STALE -> text.replace("keepalive_requests 1000000;", """
                            proxy_cache_use_stale error timeout updating http_500 http_502 http_503 http_504;
                            proxy_cache_background_update on;
                            proxy_cache_lock on;
                            keepalive_requests 1000000;""");
                case VARNISH_WITHOUT_PURGE -> text.replace("== \"PURGE\"", "== \"OTHER\"");
                case NGINX_WITH_MODULE ->
                    "load_module "
                            + MODULE
                            + ";\n"
                            + text.replaceFirst(
                                    "(?s)rewrite \\^ /kipimo-dropped.*?proxy_cache_bypass 1;",
                                    "proxy_cache_purge kipimo \\$request_uri;");
                case NGINX_WITH_VARIANTS ->
                    text.replace("proxy_set_header Accept-Encoding \"\";", "")
                            .replace("proxy_ignore_headers Vary;", "")
                            .replace("one-variant", "dropped");
                case NGINX_THAT_RENEWS_ONLY ->
                    NGINX_WITH_VARIANTS.change(text).replace("if ($http_kipimo_purge)", "if ($http_other)");
                case NGINX_WITHOUT_BYPASS ->
                    NGINX_THAT_RENEWS_ONLY.change(text).replace("proxy_cache_bypass $is_past $http_authorization;", "");
            };
        }

        /** Whether the cache can forget each answer. */
        boolean isWhole() {
            return this == VARNISH || this == NGINX || this == NGINX_THAT_SERVES_STALE || this == NGINX_WITH_MODULE;
        }
    }

    static Stream<Arguments> settings() {
        return Stream.of(Setting.values())
                .flatMap(s -> Stream.of(Change.values()).limit(Effort.of(2, 6)).map(c -> Arguments.of(s, c)));
    }

    /** After a purge no client gets the old answer, or the purge counts as failed. */
    @ParameterizedTest
    @MethodSource("settings")
    void aPurgeCountsAsDoneOnlyIfItsEffectIsShown(Setting setting, Change change, @TempDir Path directory)
            throws Exception {
        Assumptions.assumeTrue(
                setting.choice.isInstalled() && (setting != Setting.NGINX_WITH_MODULE || Files.exists(Path.of(MODULE))),
                "SKIPPED: " + setting + " is not installed here");
        AtomicBoolean isChanged = new AtomicBoolean();
        HttpServer origin =
                vertx.createHttpServer().requestHandler(request -> answer(request, change, isChanged.get()));
        origin.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        try (SharedCache cache = setting.choice.start(vertx, origin.actualPort(), directory, setting::change)) {
            List<String> codings = change == Change.ONE_OTHER_VARIANT_THEN_DELETED
                    ? List.of("br;q=.5")
                    : List.of("identity", "gzip", "br;q=.5");
            for (String coding : codings) {
                assertThat(get(cache, coding)).startsWith("old");
                assertThat(get(cache, coding)).startsWith("old");
            }
            isChanged.set(true);
            CachePurger purger = CachePurger.of(new CachePurger.Purging(
                    cache.kind(), List.of(cache.address()), new KeyPaths("/{key}", "/{key}"), 2, PATIENCE));

            purger.purge("/p?q=1", false).join();

            assertThat(purger.purged() + purger.failed()).isEqualTo(1);
            if (setting.isWhole()) {
                assertThat(purger.purged()).isEqualTo(1);
            }
            if (setting == Setting.NGINX_THAT_RENEWS_ONLY && change == Change.RENEWED) {
                assertThat(purger.purged()).isEqualTo(1);
            }
            if (setting == Setting.VARNISH_WITHOUT_PURGE || setting == Setting.NGINX_WITHOUT_BYPASS) {
                assertThat(purger.purged()).isZero();
            }
            // Every order of variants, since one brings another back.
            for (int i = 0; i < 2; i++) {
                for (String coding : List.of("identity", "gzip", "br;q=.5", "identity")) {
                    String body = get(cache, coding);
                    if (purger.failed() == 0) {
                        assertThat(body).as(coding).startsWith("new");
                    }
                }
            }
        }
    }

    private static void answer(HttpServerRequest request, Change change, boolean isChanged) {
        HttpServerResponse response = request.response();
        boolean isDeleted = isChanged && (change == Change.DELETED || change == Change.ONE_OTHER_VARIANT_THEN_DELETED);
        response.putHeader("Cache-Control", isChanged && change == Change.NO_STORE ? "no-store" : "max-age=600");
        if (isDeleted) {
            response.setStatusCode(404).headers().remove("Cache-Control");
        }
        if (isChanged && change == Change.COOKIE) {
            response.putHeader("Set-Cookie", "session=1");
        }
        String coding = "";
        if (change == Change.VARIANTS || (change == Change.ONE_OTHER_VARIANT_THEN_DELETED && !isChanged)) {
            response.putHeader("Vary", "Accept-Encoding");
            coding = ' ' + request.getHeader("Accept-Encoding");
        }
        var unused = response.end((isChanged ? "new" : "old") + coding);
    }

    private String get(SharedCache cache, String coding) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(cache.address().resolve("/p?q=1"))
                                .header("Accept-Encoding", coding)
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private HttpResponse<String> get(URI address, boolean pastCaches) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (pastCaches) {
            request.header("Cache-Control", "no-cache");
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
