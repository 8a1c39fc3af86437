package io.kipimo.sdk.caching;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.sdk.caching.CachedResponse.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server on this machine acts as cache, origin and filter; the test sets the time. */
class CachingClientTest {
    private static final long START_MILLIS = 1_000_000;

    private final AtomicLong now = new AtomicLong(START_MILLIS);
    private final CacheUses uses = new CacheUses();
    private final ExpiringFilter stale = new ExpiringFilter(FilterShape.ONE_ROUND_TRIP, 3_600_000);

    // Responses of the server, and requests to it.
    private volatile int version = 1;
    private volatile String cacheControl = "max-age=60";
    private volatile String etagOfAll = "";
    private volatile int filterStatus = 200;
    private volatile Map<String, String> filterHeaders = Map.of();
    private final List<String> asked = new ArrayList<>();

    private HttpServer server;
    private CachingClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/products/", this::product);
        server.createContext("/filter", this::filter);
        server.start();
        client = client(10);
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    private CachingClient client(int rememberedKeys) {
        return new CachingClient(
                CachingSettings.of(address("/filter"))
                        .withFreshness(new FreshnessSettings(1_000, rememberedKeys)),
                HttpClient.newHttpClient(),
                uses,
                now::get,
                () -> START_MILLIS);
    }

    private void product(HttpExchange exchange) throws IOException {
        try (exchange) {
            String etag = etagOfAll.isEmpty() ? "\"" + version + "\"" : etagOfAll;
            boolean isPast = "no-cache".equals(header(exchange, "Cache-Control"));
            synchronized (asked) {
                asked.add(exchange.getRequestMethod() + (isPast ? " past" : ""));
            }
            exchange.getResponseHeaders().set("ETag", etag);
            exchange.getResponseHeaders().set("Cache-Control", cacheControl);
            exchange.getResponseHeaders().set(CachingClient.VERSION, String.valueOf(version));
            if (etag.equals(header(exchange, "If-None-Match"))) {
                exchange.sendResponseHeaders(304, -1);
                return;
            }
            byte[] body = ("content " + version).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void filter(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (filterStatus != 200) {
                exchange.sendResponseHeaders(filterStatus, -1);
                return;
            }
            exchange.getResponseHeaders().set(CachingClient.FILTER_HASHES, "4");
            filterHeaders.forEach(exchange.getResponseHeaders()::set);
            byte[] body = stale.flat(START_MILLIS).toBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Test
    void freshKeysAreReadFromCaches() throws Exception {
        withFilter();
        assertThat(read()).isEqualTo("content 1");
        CachedResponse again = client.get(address("/products/p"));
        assertThat(again.source()).isEqualTo(Source.CLIENT_CACHE);
        assertThat(asked()).containsExactly("GET");
    }

    @Test
    void keysInTheFilterAreRevalidatedOnceForEachFilter() throws Exception {
        stale.reportRead("p", START_MILLIS + 60_000, START_MILLIS);
        stale.invalidate("p", START_MILLIS);
        withFilter();
        assertThat(read()).isEqualTo("content 1");
        assertThat(read()).isEqualTo("content 1");
        assertThat(asked()).containsExactly("GET past");
    }

    @Test
    void withoutAFilterEveryReadIsARevalidation() throws Exception {
        filterStatus = 503;
        assertThat(read()).isEqualTo("content 1");
        assertThat(read()).isEqualTo("content 1");
        version = 2;
        assertThat(read()).isEqualTo("content 2");
        assertThat(asked()).containsExactly("GET past", "GET past", "GET past");
        CacheCounts counts = uses.take();
        assertThat(counts.revalidations()).isEqualTo(3);
        assertThat(counts.needlessRevalidations()).as("304").isEqualTo(1);
        Awaitility.await().until(() -> client.filterFailures() > 0);
    }

    @Test
    void aFilterOlderThanDeltaIsNotUsed() throws Exception {
        withFilter();
        read();
        filterStatus = 503;
        now.addAndGet(1_000);
        read();
        assertThat(asked()).containsExactly("GET", "GET past");
    }

    @Test
    void timeOfAFilterInCachesCountsToItsAge() throws Exception {
        filterHeaders = Map.of("Age", "1", CachingClient.FILTER_AGE_MILLIS, "0");
        withFilter();
        read();
        assertThat(asked()).containsExactly("GET past");
    }

    @Test
    void aFilterFromTheFutureIsNotUsed() throws Exception {
        filterHeaders = Map.of(CachingClient.FILTER_AGE_MILLIS, "-60000");
        read();
        Awaitility.await().until(() -> client.filterFailures() > 0);
        assertThat(client.filter()).isNull();
    }

    @Test
    void ofTwoLifetimesNoneCounts() throws Exception {
        cacheControl = "max-age=1, max-age=600";
        withFilter();
        read();
        read();
        assertThat(asked()).containsExactly("GET", "GET");
    }

    @Test
    void anExpiredCopyIsRevalidatedWithoutABody() throws Exception {
        cacheControl = "max-age=0";
        withFilter();
        read();
        CachedResponse again = client.get(address("/products/p"));
        assertThat(again.source()).isEqualTo(Source.ORIGIN);
        assertThat(again.isUnchanged()).isTrue();
        assertThat(new String(again.body(), StandardCharsets.UTF_8)).isEqualTo("content 1");
        assertThat(asked()).containsExactly("GET", "GET");
    }

    /** Content that changed and then changed back. */
    @Test
    void aRevalidatedCopyGetsTheNewHeaders() throws Exception {
        withFilter();
        assertThat(read()).isEqualTo("content 1");
        now.addAndGet(60_000);
        etagOfAll = "\"1\"";
        version = 3;
        CachedResponse again = client.get(address("/products/p"));
        assertThat(again.isUnchanged()).isTrue();
        assertThat(new String(again.body(), StandardCharsets.UTF_8)).isEqualTo("content 1");
        assertThat(again.headers().firstValue(CachingClient.VERSION)).contains("3");
        assertThat(again.headers().firstValue("Content-Length")).contains("9");
    }

    @Test
    void noStoreAnswersAreNotKeptForTheirEtag() throws Exception {
        cacheControl = "no-store";
        withFilter();
        assertThat(read()).isEqualTo("content 1");
        CachedResponse again = client.get(address("/products/p"));
        assertThat(again.source()).isEqualTo(Source.ORIGIN);
        assertThat(again.isUnchanged()).isFalse();
    }

    @Test
    void anOlderVersionFromACacheIsRevalidated() throws Exception {
        cacheControl = "max-age=0";
        withFilter();
        version = 5;
        read();
        version = 4;
        read();
        assertThat(asked()).containsExactly("GET", "GET", "GET past");
    }

    @Test
    void aClientSeesItsOwnWrite() throws Exception {
        withFilter();
        read();
        client.write(
                HttpRequest.newBuilder(address("/products/p"))
                        .PUT(BodyPublishers.ofString("x"))
                        .build());
        read();
        read();
        assertThat(asked()).containsExactly("GET", "PUT", "GET past");
    }

    /** Fetches the filter before the first read under test; only reads request it. */
    private void withFilter() throws Exception {
        client.get(address("/products/other"));
        Awaitility.await().until(() -> client.filter() != null);
        synchronized (asked) {
            asked.clear();
        }
    }

    private String read() throws Exception {
        return new String(client.get(address("/products/p")).body(), StandardCharsets.UTF_8);
    }

    private List<String> asked() {
        synchronized (asked) {
            return List.copyOf(asked);
        }
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private static String header(HttpExchange exchange, String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }
}
