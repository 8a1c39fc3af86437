package io.kipimo.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CachePurgerTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger failuresLeft = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer cache;

    @BeforeEach
    void start() throws Exception {
        cache = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        cache.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod()
                    + " "
                    + exchange.getRequestURI()
                    + " "
                    + exchange.getRequestHeaders().getFirst(CachePurger.MODE)
                    + " "
                    + exchange.getRequestHeaders().getFirst("Cache-Control"));
            exchange.getResponseHeaders().set(CachePurger.MODE, "done");
            exchange.getResponseHeaders().set("Cache-Status", "test; fwd=miss");
            exchange.sendResponseHeaders(failuresLeft.getAndDecrement() > 0 ? 503 : 200, -1);
            exchange.close();
        });
        cache.setExecutor(threads);
        cache.start();
    }

    @AfterEach
    void stop() {
        cache.stop(0);
        threads.shutdownNow();
    }

    @Test
    void varnishGetsPurges() throws Exception {
        CachePurger purger = purger(CacheKind.VARNISH);
        purger.purge("/products/p", false).join();
        purger.purge("/products/p", true).join();
        assertThat(asked).containsExactly("PURGE /products/p hard null", "PURGE /products/p soft null");
        assertThat(purger.purged()).isEqualTo(2);
    }

    @Test
    void nginxIsMadeToAskTheOrigin() throws Exception {
        CachePurger purger = purger(CacheKind.NGINX);
        purger.purge("/products/p", false).join();
        assertThat(asked)
                .containsExactly(
                        "GET /products/p hard no-cache", "GET /products/p null no-cache", "GET /products/p null null");
        assertThat(purger.purged()).isEqualTo(1);
    }

    @Test
    void triesAgainAndThenGivesUp() throws Exception {
        CachePurger purger = purger(CacheKind.VARNISH);
        failuresLeft.set(2);
        purger.purge("/a", false).join();
        assertThat(asked).hasSize(3);
        failuresLeft.set(3);
        purger.purge("/b", false).join();
        assertThat(asked).hasSize(6);
        assertThat(purger.purged()).isEqualTo(1);
        assertThat(purger.failed()).isEqualTo(1);
    }

    /** The outer one asks the inner one, which would still be stale. */
    @Test
    void anOuterCacheIsPurgedOnceTheInnerOneIs() throws Exception {
        HttpServer outer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        outer.createContext("/", exchange -> {
            asked.add("outer " + exchange.getRequestURI());
            exchange.getResponseHeaders().set(CachePurger.MODE, "done");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        outer.start();
        try {
            CachePurger.Purging one = settings(CacheKind.VARNISH);
            CachePurger purger = CachePurger.of(new CachePurger.Purging(
                    one.kind(),
                    List.of(
                            one.caches().get(0),
                            URI.create("http://127.0.0.1:" + outer.getAddress().getPort())),
                    one.paths(),
                    3,
                    Duration.ofSeconds(5)));
            failuresLeft.set(2);
            purger.purge("/a", false).join();
            assertThat(asked)
                    .containsExactly("PURGE /a hard null", "PURGE /a hard null", "PURGE /a hard null", "outer /a");
            assertThat(purger.purged()).isEqualTo(2);
        } finally {
            outer.stop(0);
        }
    }

    /** It takes connections and never answers. */
    @Test
    void aCacheThatHangsIsGivenUpAndCounted_andTheOthersArePurged() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CachePurger.Purging one = settings(CacheKind.VARNISH);
            CachePurger purger = CachePurger.of(new CachePurger.Purging(
                    one.kind(),
                    List.of(
                            URI.create("http://127.0.0.1:" + silent.getLocalPort()),
                            one.caches().get(0)),
                    one.paths(),
                    1,
                    Duration.ofMillis(1_500)));
            purger.purge("/a", false).join();
            assertThat(asked).containsExactly("PURGE /a hard null");
            assertThat(purger.failed()).isEqualTo(1);
        }
    }

    /** Its answers have a head, and then a byte now and then: the time-out of the JDK's client is over by then. */
    @Test
    void aCacheWhoseAnswersDribbleIsGivenUpAndCounted() throws Exception {
        cache.createContext("/dribble/", exchange -> {
            asked.add(exchange.getRequestURI().toString());
            exchange.getResponseHeaders().set(CachePurger.MODE, "done");
            exchange.sendResponseHeaders(200, 0);
            try (exchange) {
                while (true) {
                    exchange.getResponseBody().write('x');
                    exchange.getResponseBody().flush();
                    TimeUnit.MILLISECONDS.sleep(5);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        CachePurger.Purging one = settings(CacheKind.VARNISH);
        CachePurger purger = CachePurger.of(
                new CachePurger.Purging(one.kind(), one.caches(), one.paths(), 1, Duration.ofMillis(1_500)));
        for (String path : List.of("/dribble/a", "/dribble/b")) {
            purger.purge(path, false).join();
        }
        purger.purge("/c", false).join();
        assertThat(purger.failed()).isEqualTo(2);
        assertThat(purger.purged()).isEqualTo(1);
    }

    /** One key is any text of a producer; it neither reaches another host nor stops the rest. */
    @ParameterizedTest
    @EnumSource(CacheKind.class)
    void aKeyThatIsNoPathIsSkippedAndTheNextIsPurged(CacheKind kind) throws Exception {
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String host = "127.0.0.1:" + stranger.getLocalPort();
            CachePurger purger = purger(kind);
            List<String> keys = List.of(
                    "//" + host + "/a?wipe=1",
                    "/\\" + host + "/c",
                    "http://" + host + "/",
                    "@" + host + "/",
                    "/a\r\nHost: " + host,
                    "/a b\n",
                    "/%",
                    "/..//" + host,
                    "");
            for (String key : keys) {
                purger.purge(key, false).join();
            }
            assertThat(asked).isEmpty();
            assertThat(purger.skipped()).isEqualTo(keys.size());

            purger.purge("/a@" + host + "/b?u=http://" + host, false).join();
            assertThat(asked).isNotEmpty();
            assertThat(purger.purged()).isEqualTo(1);
            stranger.setSoTimeout(1);
            assertThatThrownBy(stranger::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://cache",
                "http://user@cache",
                "http://cache/path",
                "http://cache?x",
                "cache:80",
                "http://cache#x",
                "http://cache:99999",
                "//cache"
            })
    void aCacheIsAnAddressAlone(String cache) {
        assertThatThrownBy(() -> new CachePurger.Purging(
                        CacheKind.VARNISH,
                        List.of(URI.create(cache)),
                        new KeyPaths("/{key}", "/{key}"),
                        1,
                        Duration.ofSeconds(1)))
                .hasMessage("cache is '" + cache + "'; allowed: http://HOST:PORT");
    }

    @Test
    void pathsAreMadeOfKeys() {
        CachePurger.Purging settings = settings(CacheKind.VARNISH);
        assertThat(settings.paths().path("shop", "products", "a b/c", false)).isEqualTo("/products/a%20b%2Fc");
        assertThat(settings.paths().path("shop", "products", "q", true)).isEqualTo("/products/q/q");
        assertThat(settings.paths().path("shop", "products", "/any/path?x=1", true))
                .isEqualTo("/any/path?x=1");
    }

    @Test
    void aPathWithoutTheKeyIsRefused() {
        assertThatThrownBy(() -> new CachePurger.Purging(
                        CacheKind.NGINX, List.of(), new KeyPaths("/{table}", "/{key}"), 1, Duration.ofSeconds(1)))
                .hasMessage("path is '/{table}'; allowed: with {key}, and maybe {service}, {table}");
    }

    private CachePurger purger(CacheKind kind) {
        return CachePurger.of(settings(kind));
    }

    private CachePurger.Purging settings(CacheKind kind) {
        return new CachePurger.Purging(
                kind,
                List.of(URI.create("http://127.0.0.1:" + cache.getAddress().getPort())),
                new KeyPaths("/{table}/{key}", "/{table}/q/{key}"),
                3,
                Duration.ofSeconds(5));
    }
}
