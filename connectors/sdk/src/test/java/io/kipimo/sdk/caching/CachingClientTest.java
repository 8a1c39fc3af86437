package io.kipimo.sdk.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kipimo.core.stale.Consistency;
import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.core.stale.RecentKeys;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.sdk.caching.CachedResponse.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    private volatile boolean hangs;
    private volatile boolean windows;
    private volatile boolean isHit;
    private volatile long evaluated;
    private volatile String list = "";
    private final List<String> asked = new ArrayList<>();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private CachingClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/products/", this::product);
        server.createContext("/filter", this::filter);
        server.setExecutor(threads);
        server.start();
        client = client(10);
    }

    @AfterEach
    void stop() {
        client.close();
        hangs = false;
        server.stop(0);
        threads.shutdownNow();
    }

    private CachingClient client(int rememberedKeys) {
        return new CachingClient(
                CachingSettings.of(address("/filter"))
                        .withKeys(CachingSettings::lastSegment)
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
            if (isHit) {
                exchange.getResponseHeaders().set("Cache-Status", "cache; hit");
            }
            if (evaluated > 0) {
                exchange.getResponseHeaders().set(CachingClient.EVALUATED_MILLIS, String.valueOf(evaluated));
            }
            if (etag.equals(header(exchange, "If-None-Match"))) {
                exchange.sendResponseHeaders(304, -1);
                return;
            }
            boolean isList = exchange.getRequestURI().getPath().contains("/q");
            byte[] body = (isList ? list : "content " + version).getBytes(StandardCharsets.UTF_8);
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
            Awaitility.await().until(() -> !hangs);
            exchange.getResponseHeaders().set(CachingClient.FILTER_HASHES, "4");
            byte[] body = stale.flat(now.get()).toBytes();
            if (windows) {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                all.writeBytes(body);
                List<RecentKeys.KeysWindow> recent = stale.recent(now.get()).windows();
                recent.subList(1, recent.size())
                        .forEach(w -> all.writeBytes(w.keys().toBytes()));
                body = all.toByteArray();
                exchange.getResponseHeaders()
                        .set(
                                CachingClient.FILTER_WINDOWS,
                                recent.stream()
                                        .map(w -> String.valueOf(w.sinceMillis()))
                                        .collect(Collectors.joining(", ")));
            }
            filterHeaders.forEach(exchange.getResponseHeaders()::set);
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
    void aReadMayAskForMoreOrLess() throws Exception {
        cacheControl = "max-age=0";
        withFilter();
        version = 5;
        read();
        version = 4;
        HttpRequest request = HttpRequest.newBuilder(address("/products/p")).build();
        assertThat(client.get(request, Consistency.DELTA).version()).isEqualTo(4);
        client.get(request, Consistency.STRONG);
        assertThat(asked()).containsExactly("GET", "GET", "GET past");
    }

    @Test
    void aClientSeesItsOwnWrite() throws Exception {
        withFilter();
        read();
        client.write(HttpRequest.newBuilder(address("/products/p"))
                .PUT(BodyPublishers.ofString("x"))
                .build());
        now.addAndGet(1);
        read();
        read();
        assertThat(asked()).containsExactly("GET", "PUT", "GET past");
    }

    /** Each pair has the same last segment of the path, so the same key. */
    @ParameterizedTest
    @CsvSource({
        "/users/1,/products/1",
        "/products/7?lang=fr,/products/7?lang=de",
        "/a/x%2Fy,/b/x%2Fy",
        "/products/,/users/"
    })
    void twoAddressesOfOneKeyHaveTheirOwnBodies(String one, String other) throws Exception {
        echoes("");
        withFilter();
        for (int i = 0; i < 2; i++) {
            assertThat(text(client.get(address("/echo" + one)))).isEqualTo("/echo" + one);
            assertThat(text(client.get(address("/echo" + other)))).isEqualTo("/echo" + other);
        }
        assertThat(asked()).as("each comes from the client's cache then").hasSize(2);
    }

    @Test
    void theFragmentAndTheCaseOfTheHostAreNoPartOfAnAddress() throws Exception {
        echoes("");
        withFilter();
        client.get(address("/echo/p"));
        URI same = URI.create(address("/echo/p").toString().replace("http", "HTTP") + "#top");
        assertThat(client.get(same).source()).isEqualTo(Source.CLIENT_CACHE);
    }

    /** The server behaves as a cache that ignores Vary, or as one that heeds it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everybodyGetsTheirOwnVariant(boolean ignoresVary) throws Exception {
        echoes(ignoresVary ? "ignored" : "shown");
        withFilter();
        for (int i = 0; i < 2; i++) {
            for (String language : List.of("fr", "de", "")) {
                assertThat(text(client.get(inLanguage(language)))).isEqualTo("in " + language);
            }
        }
        assertThat(asked().stream().filter(a -> a.contains("past")).count()).isEqualTo(ignoresVary ? 3 : 0);
        assertThat(client.unprovenVariants()).isEqualTo(ignoresVary ? 1 : 0);
    }

    @Test
    void anEncodedAnswerIsNotForAClientThatDidNotAskForIt() throws Exception {
        echoes("gzip");
        withFilter();
        assertThat(text(client.get(address("/echo/p")))).isEqualTo("in ");
    }

    @Test
    void answersThatVaryByAnythingAreNotReused() throws Exception {
        echoes("*");
        withFilter();
        client.get(inLanguage("fr"));
        client.get(inLanguage("fr"));
        assertThat(asked()).containsExactly("GET", "GET past", "GET", "GET past");
    }

    @Test
    void aRevalidationOfOneAddressSaysNothingOfAnother() throws Exception {
        echoes("");
        withFilter();
        client.get(address("/echo/p?lang=de"));
        client.get(address("/echo/p?lang=fr"));
        stale.reportRead("p", START_MILLIS + 60_000, START_MILLIS);
        stale.invalidate("p", START_MILLIS);
        now.addAndGet(999);
        client.get(address("/products/other"));
        Awaitility.await().until(() -> client.filter().mightContain("p"));
        synchronized (asked) {
            asked.clear();
        }
        client.get(address("/echo/p?lang=fr"));
        client.get(address("/echo/p?lang=fr"));
        client.get(address("/echo/p?lang=de"));
        assertThat(asked()).containsExactly("GET past", "GET past");
    }

    @Test
    void aWriteDropsAllCopiesOfItsKey() throws Exception {
        echoes("");
        withFilter();
        client.get(address("/echo/p?lang=fr"));
        client.get(address("/echo/p?lang=de"));
        client.write(HttpRequest.newBuilder(address("/products/p"))
                .PUT(BodyPublishers.ofString("x"))
                .build());
        client.get(address("/echo/p?lang=fr"));
        client.get(address("/echo/p?lang=de"));
        assertThat(asked().subList(3, 5)).containsExactly("GET past", "GET past");
    }

    @Test
    void readsWithConditionsAreRefused() {
        for (String name : List.of("If-None-Match", "range", "If-Range")) {
            assertThatThrownBy(() -> client.get(HttpRequest.newBuilder(address("/products/p"))
                            .header(name, "x")
                            .build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name);
        }
        assertThatThrownBy(() -> client.get(
                        HttpRequest.newBuilder(address("/products/p")).DELETE().build()))
                .hasMessage("method is DELETE; allowed: GET");
    }

    /** Quaestor's figure 1: a client that starts while the shared cache is warm. */
    @Test
    void aColdClientReadsFromAWarmCache() throws Exception {
        for (int i = 0; i < 20; i++) {
            client.get(address("/products/p-" + i));
        }
        now.addAndGet(10_000);
        for (int i = 0; i < 20; i++) {
            client.get(address("/products/q-" + i));
        }
        assertThat(asked()).as("at the start, and after a pause").hasSize(40).containsOnly("GET");
    }

    @Test
    void aFilterThatHangsDelaysReadsOnceForDelta() throws Exception {
        hangs = true;
        // The time stands still in this client, so its patience is real time.
        assertThat(read()).isEqualTo("content 1");
        now.addAndGet(1_000);
        read();
        assertThat(asked()).containsExactly("GET past", "GET past");
        hangs = false;
    }

    @Test
    void aDamagedFilterIsCountedAndNotUsed() throws Exception {
        for (Map<String, String> headers : List.of(
                Map.of(CachingClient.FILTER_HASHES, "99"),
                Map.of(CachingClient.FILTER_HASHES, "4294967300"),
                Map.of(CachingClient.FILTER_HASHES, "four"),
                Map.of(CachingClient.FILTER_WINDOWS, "1, 2"),
                Map.of(CachingClient.FILTER_WINDOWS, "2, x"),
                Map.of(CachingClient.FILTER_WINDOWS, "3, 2, 1"),
                Map.of("Content-Encoding", "gzip"))) {
            filterHeaders = headers;
            try (CachingClient other = client(10)) {
                assertThat(text(other.get(address("/products/p")))).isEqualTo("content 1");
                Awaitility.await().until(() -> other.filterFailures() > 0);
                assertThat(other.filter()).as("%s", headers).isNull();
            }
        }
        assertThat(asked()).hasSize(7).containsOnly("GET past");
    }

    @Test
    void aStaleKeyComesFromACacheThatAskedTheOriginAfterItsChange() throws Exception {
        windows = true;
        cacheControl = "max-age=600";
        stale.reportRead("p", START_MILLIS + 600_000, START_MILLIS - 100_000);
        stale.invalidate("p", START_MILLIS - 100_000);
        evaluated = START_MILLIS - 1_000;
        withFilter();
        assertThat(read()).isEqualTo("content 1");
        assertThat(client.get(address("/products/p")).source()).isEqualTo(Source.CLIENT_CACHE);
        evaluated = START_MILLIS - 100_001;
        client.write(HttpRequest.newBuilder(address("/products/q"))
                .PUT(BodyPublishers.ofString("x"))
                .build());
        client.get(address("/products/x?as=p"));
        assertThat(asked()).containsExactly("GET", "PUT", "GET");
        try (CachingClient other = client(10)) {
            other.get(address("/products/p"));
        }
        assertThat(asked()).containsExactly("GET", "PUT", "GET", "GET", "GET past");
    }

    /** A key leaves the filter when its copies have expired, so nothing is known of this one. */
    @Test
    void anExpiredCopyOfASharedCacheIsRevalidated() throws Exception {
        isHit = true;
        cacheControl = "max-age=0";
        withFilter();
        read();
        assertThat(asked()).containsExactly("GET", "GET past");
    }

    @Test
    void aClockThatIsAheadProvesNothing() throws Exception {
        windows = true;
        stale.reportRead("p", START_MILLIS + 600_000, START_MILLIS - 100_000);
        stale.invalidate("p", START_MILLIS - 100_000);
        evaluated = START_MILLIS + 3_600_000;
        withFilter();
        read();
        assertThat(client.clockErrors()).isPositive();
        assertThat(asked()).containsExactly("GET", "GET past");
    }

    /** What the server of {@link #respond} answers, given how often it was asked. */
    private interface Answering {
        String answer(HttpExchange exchange, int times) throws IOException;
    }

    private void respond(Answering answering) {
        AtomicInteger times = new AtomicInteger();
        server.createContext("/me", exchange -> {
            try (exchange) {
                boolean isPast = "no-cache".equals(header(exchange, "Cache-Control"));
                synchronized (asked) {
                    asked.add(exchange.getRequestMethod() + (isPast ? " past" : ""));
                }
                String body = answering.answer(exchange, times.incrementAndGet());
                if (body == null) {
                    exchange.sendResponseHeaders(304, -1);
                } else {
                    exchange.sendResponseHeaders(200, body.length());
                    exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
                }
            }
        });
    }

    private CachingClient anotherClient() {
        return new CachingClient(
                CachingSettings.of(address("/filter")), HttpClient.newHttpClient(), uses, now::get, () -> START_MILLIS);
    }

    private HttpRequest me(String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address("/me"));
        return headers.length == 0 ? request.build() : request.headers(headers).build();
    }

    /** RFC 9111, sec. 3.5: one client serves all users of a backend. */
    @ParameterizedTest
    @CsvSource({
        "max-age=60, 6",
        "'must-revalidate, max-age=60', 6",
        "'public, max-age=60', 6",
        "'private, max-age=60', 12"
    })
    void nobodyGetsTheAnswerOfAnotherUser(String control, int requests) throws Exception {
        respond((exchange, times) -> {
            exchange.getResponseHeaders().set("Cache-Control", control);
            return header(exchange, "Authorization") + ' ' + header(exchange, "Cookie");
        });
        withFilter();
        for (int i = 0; i < 2; i++) {
            assertThat(text(client.get(me("X-Api-Key", "A")))).isEqualTo("null null");
            assertThat(text(client.get(me("Authorization", "A")))).isEqualTo("A null");
            assertThat(text(client.get(me("Authorization", "B")))).isEqualTo("B null");
            assertThat(text(client.get(me()))).isEqualTo("null null");
            assertThat(text(client.get(me("Cookie", "s=1")))).isEqualTo("null s=1");
            assertThat(text(client.get(me("Cookie", "s=2")))).isEqualTo("null s=2");
        }
        assertThat(asked())
                .as("a user's first answer is asked for again, past caches, unless it is public or private")
                .hasSize(control.startsWith("max-age") ? requests + 1 : requests);
    }

    /** nginx keeps answers to credentials, and does not say when it answers. */
    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "AUTHORIZATION", "Cookie", "X-Api-Key", "X-Forwarded-User"})
    void aCacheThatDoesNotSayThatItAnsweredGivesNobodyAnothersAnswer(String name) throws Exception {
        AtomicReference<String> kept = new AtomicReference<>();
        respond((exchange, times) -> {
            exchange.getResponseHeaders().set("Cache-Control", "max-age=60");
            if ("no-cache".equals(header(exchange, "Cache-Control"))) {
                kept.set(header(exchange, name));
            } else {
                kept.compareAndSet(null, header(exchange, name));
            }
            return kept.get();
        });
        withFilter();
        client.get(me(name, "A"));
        for (CachingClient one : List.of(client, anotherClient())) {
            assertThat(text(one.get(me(name, "B")))).isEqualTo("B");
        }
    }

    @ParameterizedTest
    @CsvSource({"Cache-Control, 'private, max-age=60'", "Set-Cookie, s=1", "Cache-Control, no-store"})
    void aCacheThatGivesAwayWhatIsOneUsersIsNotBelieved(String name, String value) throws Exception {
        respond((exchange, times) -> {
            exchange.getResponseHeaders().set("Cache-Status", "cache; hit");
            exchange.getResponseHeaders().set(name, value);
            return "somebody's";
        });
        withFilter();
        assertThat(client.get(me()).source()).isEqualTo(Source.ORIGIN);
    }

    @Test
    void whatTheCallerWantsStoredNowhereIsStoredByNoCache() throws Exception {
        List<String> controls = new CopyOnWriteArrayList<>();
        respond((exchange, times) -> {
            controls.add(header(exchange, "Cache-Control"));
            return "secret";
        });
        withFilter();
        client.get(me("Cache-Control", "no-store"));
        assertThat(controls).containsExactly("no-cache, no-store");
    }

    /** Of the target, neither the filter's word nor an entity tag is known. */
    @Test
    void whatIsRedirectedIsAskedForPastCaches() throws Exception {
        respond((exchange, times) -> {
            exchange.getResponseHeaders().set("Cache-Control", "max-age=60");
            exchange.getResponseHeaders().set("ETag", "\"1\"");
            return header(exchange, "If-None-Match") != null ? null : "target";
        });
        server.createContext("/moved", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Location", "/me");
                exchange.sendResponseHeaders(302, -1);
            }
        });
        try (CachingClient own = new CachingClient(
                CachingSettings.of(address("/filter")).withoutFilter(),
                HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build(),
                uses,
                now::get,
                () -> START_MILLIS)) {
            assertThat(own.get(address("/moved")).source()).isEqualTo(Source.ORIGIN);
            assertThat(text(own.get(address("/moved")))).isEqualTo("target");
            assertThat(asked()).containsExactly("GET", "GET past", "GET", "GET past");
        }
    }

    /** RFC 9111, sec. 3.5; nginx keeps such answers. */
    @ParameterizedTest
    @CsvSource({
        "max-age=60, ORIGIN",
        "'public, max-age=60', SHARED_CACHE",
        "'PUBLIC=\"\", max-age=60', SHARED_CACHE",
        "'s-maxage=9, max-age=60', SHARED_CACHE"
    })
    void aSharedCachesAnswerToCredentialsCountsOnlyIfItMayBeShared(String control, Source source) throws Exception {
        respond((exchange, times) -> {
            exchange.getResponseHeaders().set("Cache-Control", control);
            exchange.getResponseHeaders().set("Cache-Status", "cache; hit");
            return "anyone's";
        });
        withFilter();
        assertThat(client.get(me("Authorization", "A")).source()).isEqualTo(source);
        assertThat(client.get(me()).source())
                .as("the cache may give what was for a user to somebody without credentials")
                .isEqualTo(source);
    }

    @Test
    void cookiesOfTheHttpClientSelectToo() throws Exception {
        respond((exchange, times) -> {
            exchange.getResponseHeaders().set("Cache-Control", "max-age=60");
            return String.valueOf(header(exchange, "Cookie"));
        });
        CookieManager jar = new CookieManager();
        try (CachingClient own = new CachingClient(
                CachingSettings.of(address("/filter")).withoutFilter(),
                HttpClient.newBuilder().cookieHandler(jar).build(),
                uses,
                now::get,
                () -> START_MILLIS)) {
            for (String user : List.of("A", "B", "A")) {
                jar.put(address("/me"), Map.of("Set-Cookie", List.of("user=" + user + "; Path=/")));
                assertThat(text(own.get(me()))).contains("user=" + user);
            }
            assertThat(asked()).containsExactly("GET", "GET past", "GET past");
        }
    }

    @Test
    void privateAnswersAreKeptIfAllReadsAreOneUsers() throws Exception {
        respond((exchange, times) -> {
            exchange.getResponseHeaders().set("Cache-Control", "private, max-age=60");
            exchange.getResponseHeaders().set("Set-Cookie", "s=1");
            return "mine";
        });
        try (CachingClient own = new CachingClient(
                CachingSettings.of(address("/filter")).withoutFilter().forOneUser(),
                HttpClient.newHttpClient(),
                uses,
                now::get,
                () -> START_MILLIS)) {
            own.get(me());
            assertThat(own.get(me()).source()).isEqualTo(Source.CLIENT_CACHE);
            HttpRequest unstored = me("Cache-Control", "no-store");
            own.get(unstored);
            assertThat(own.get(me()).source()).as("nothing of it is stored").isEqualTo(Source.ORIGIN);
        }
    }

    /** RFC 9111, sec. 4.3.4. */
    @Test
    void a304OfOtherContentIsNoRevalidationOfOurs() throws Exception {
        respond((exchange, times) -> {
            exchange.getResponseHeaders().set("Cache-Control", "max-age=1");
            exchange.getResponseHeaders().set("ETag", times == 1 ? "\"v1\"" : "\"v2\"");
            return header(exchange, "If-None-Match") != null ? null : times == 1 ? "one" : "two";
        });
        withFilter();
        assertThat(text(client.get(me()))).isEqualTo("one");
        now.addAndGet(1_000);
        CachedResponse again = client.get(me());
        assertThat(text(again)).isEqualTo("two");
        assertThat(again.isUnchanged()).isFalse();
        assertThat(asked()).containsExactly("GET", "GET", "GET past");
    }

    @Test
    void a304OfACacheThatCompressesIsOfOurs() throws Exception {
        respond((exchange, times) -> {
            exchange.getResponseHeaders().set("Cache-Control", "max-age=1");
            exchange.getResponseHeaders().set("ETag", times == 1 ? "\"v1\"" : "W/\"v1\"");
            return header(exchange, "If-None-Match") != null ? null : "one";
        });
        withFilter();
        client.get(me());
        now.addAndGet(1_000);
        CachedResponse again = client.get(me());
        assertThat(text(again)).isEqualTo("one");
        assertThat(again.headers().allValues("ETag")).as("that of the body").containsExactly("\"v1\"");
    }

    @Test
    void aCopyEndsItsLifetimeAfterItWasEvaluatedHoweverLateItCame() throws Exception {
        windows = true;
        respond((exchange, times) -> {
            exchange.getResponseHeaders().set("Cache-Control", "max-age=1");
            exchange.getResponseHeaders().set(CachingClient.EVALUATED_MILLIS, String.valueOf(START_MILLIS));
            exchange.getResponseHeaders().set("Cache-Status", "cache; hit");
            now.addAndGet(times == 1 ? 900 : 0);
            return "slow";
        });
        try (CachingClient own = new CachingClient(
                CachingSettings.of(address("/filter")).withFreshness(new FreshnessSettings(60_000, 10)),
                HttpClient.newHttpClient(),
                uses,
                now::get,
                () -> 0)) {
            assertThat(own.get(me()).source()).isEqualTo(Source.SHARED_CACHE);
            assertThat(own.get(me()).source()).isEqualTo(Source.CLIENT_CACHE);
            now.set(START_MILLIS + 999);
            own.get(me());
            assertThat(asked()).as("the copy lives for 100 ms more").containsExactly("GET");
            now.set(START_MILLIS + 1_000);
            assertThat(own.get(me()).source())
                    .as("neither the own copy nor that of the cache")
                    .isEqualTo(Source.ORIGIN);
        }
    }

    @Test
    void theDefaultKeyIsPathAndQueryAndVersionsAreOfAnAddress() throws Exception {
        assertThat(CachingSettings.pathAndQuery(URI.create("https://shop/search?q=hats#top")))
                .isEqualTo("/search?q=hats");
        respond((exchange, times) -> {
            boolean isShoes = exchange.getRequestURI().toString().endsWith("shoes");
            exchange.getResponseHeaders().set("Cache-Control", "max-age=0");
            exchange.getResponseHeaders().set(CachingClient.VERSION, isShoes ? "900" : "100");
            return "found";
        });
        withFilter();
        client.get(address("/me?q=shoes"));
        client.get(address("/me?q=hats"));
        assertThat(asked()).containsExactly("GET", "GET");
        assertThat(client.olderVersions()).isZero();
    }

    @Test
    void aVersionThatFallsIsCounted() throws Exception {
        cacheControl = "max-age=0";
        withFilter();
        version = 5;
        read();
        version = 4;
        read();
        assertThat(client.olderVersions()).isEqualTo(1);
    }

    /** A server that sends a head and a byte now and then: neither a read nor a filter waits for its end. */
    @Test
    void aBodyThatDribblesEndsAReadAndTheFilterIsAskedAgain() throws Exception {
        AtomicInteger filters = new AtomicInteger();
        server.createContext("/dribble", exchange -> {
            filters.addAndGet(exchange.getRequestURI().getPath().endsWith("filter") ? 1 : 0);
            exchange.getResponseHeaders().set(CachingClient.FILTER_HASHES, "4");
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
        try (CachingClient own = new CachingClient(
                CachingSettings.of(address("/dribble/filter")).withTimeout(Duration.ofMillis(200)),
                HttpClient.newHttpClient(),
                uses,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                () -> START_MILLIS)) {
            Awaitility.await().until(() -> {
                assertThatThrownBy(() -> own.get(address("/dribble/p"))).isInstanceOf(HttpTimeoutException.class);
                return filters.get() > 1;
            });
            assertThat(own.filterFailures()).isPositive();
        }
    }

    /** Answers with the address, or with the language that is asked for. */
    private void echoes(String how) {
        List<String> first = new ArrayList<>();
        server.createContext("/echo", exchange -> {
            try (exchange) {
                boolean isPast = "no-cache".equals(header(exchange, "Cache-Control"));
                synchronized (asked) {
                    asked.add(exchange.getRequestMethod() + (isPast ? " past" : ""));
                }
                String language = header(exchange, "Accept-Language");
                String own = language == null ? "" : language;
                first.add(own);
                String said = how.equals("ignored") && !isPast ? first.get(0) : own;
                exchange.getResponseHeaders().set("Cache-Control", "max-age=60");
                exchange.getResponseHeaders().set("ETag", '"' + said + '"');
                if (!how.isEmpty()) {
                    exchange.getResponseHeaders().set("Vary", how.equals("*") ? "*" : "Accept-Language");
                }
                if (how.equals("shown")) {
                    exchange.getResponseHeaders()
                            .set(
                                    Variants.HEADER,
                                    Variants.name(List.of("Accept-Language"), name -> exchange.getRequestHeaders()
                                            .getOrDefault(name, List.of())));
                }
                if (how.equals("gzip") && !isPast) {
                    exchange.getResponseHeaders().set("Content-Encoding", "gzip");
                    said = "compressed";
                }
                byte[] body = (how.isEmpty() ? exchange.getRequestURI().toString() : "in " + said)
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
    }

    private HttpRequest inLanguage(String language) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address("/echo/p"));
        if (!language.isEmpty()) {
            request.header("Accept-Language", language);
        }
        return request.build();
    }

    private static String text(CachedResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
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

    private CachingClient withRecords(CachingSettings settings) {
        client.close();
        client = new CachingClient(
                settings.withRecords(new ResultRecords("/products/q", "", "/products/{id}", "v")),
                HttpClient.newHttpClient(),
                uses,
                now::get,
                () -> START_MILLIS);
        return client;
    }

    private CachingSettings ofTheFilter() {
        return CachingSettings.of(address("/filter")).withKeys(CachingSettings::lastSegment);
    }

    private Source source(String path, Consistency level, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address(path));
        return client.get((headers.length == 0 ? request : request.headers(headers)).build(), level)
                .source();
    }

    /** The filter has the list and not the record, which nobody has read by itself. */
    @Test
    void recordsOfAListComeFromTheOwnCacheAsLongAsTheListIsFresh() throws Exception {
        withRecords(ofTheFilter());
        list = "[{\"id\":\"p\",\"v\":7,\"x\":1.50}]";
        client.get(address("/products/q"));
        CachedResponse record = client.get(address("/products/p"));
        assertThat(record.source()).isEqualTo(Source.CLIENT_CACHE);
        assertThat(new String(record.body(), StandardCharsets.UTF_8)).isEqualTo("{\"id\":\"p\",\"v\":7,\"x\":1.50}");
        assertThat(record.version()).isEqualTo(7);
        assertThat(record.headers().firstValue("ETag")).isEmpty();
        stale.reportRead("q", START_MILLIS + 60_000, START_MILLIS);
        stale.invalidate("q", START_MILLIS);
        now.addAndGet(1_000);
        version = 8;
        assertThat(source("/products/p", Consistency.SESSION)).isNotEqualTo(Source.CLIENT_CACHE);
        assertThat(source("/products/p", Consistency.SESSION)).isEqualTo(Source.CLIENT_CACHE);
        list = "[{\"id\":\"p\",\"v\":7}]";
        source("/products/q2", Consistency.SESSION);
        assertThat(client.get(address("/products/p")).version())
                .as("an older list")
                .isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource
    void recordsOfAListKeepTheLevel(Consistency level) throws Exception {
        withRecords(ofTheFilter());
        list = "[{\"id\":\"p\",\"v\":7}]";
        client.get(address("/products/q"));
        boolean isUsed = level != Consistency.STRONG && level != Consistency.CAUSAL;
        assertThat(source("/products/p", level) == Source.CLIENT_CACHE).isEqualTo(isUsed);
        version = 8;
        client.write(HttpRequest.newBuilder(address("/products/p"))
                .PUT(BodyPublishers.noBody())
                .build());
        source("/products/q3", Consistency.SESSION);
        boolean mayMissOwn = level == Consistency.DELTA || level == Consistency.MONOTONIC_READS;
        assertThat(source("/products/p", level) == Source.CLIENT_CACHE).isEqualTo(mayMissOwn);
    }

    @Test
    void recordsOfAListAreForThoseWhoMayReadIt() throws Exception {
        withRecords(ofTheFilter());
        list = "[{\"id\":\"p\",\"v\":7}]";
        source("/products/q", Consistency.SESSION, "Authorization", "a");
        assertThat(source("/products/p", Consistency.SESSION, "Authorization", "a"))
                .isEqualTo(Source.CLIENT_CACHE);
        assertThat(source("/products/p", Consistency.SESSION, "Authorization", "a", "Accept", "text/html"))
                .isNotEqualTo(Source.CLIENT_CACHE);
        assertThat(source("/products/p", Consistency.SESSION)).isNotEqualTo(Source.CLIENT_CACHE);
        cacheControl = "private, max-age=60";
        withRecords(ofTheFilter());
        source("/products/q", Consistency.SESSION);
        assertThat(source("/products/p", Consistency.SESSION)).isNotEqualTo(Source.CLIENT_CACHE);
        withRecords(ofTheFilter().forOneUser());
        source("/products/q", Consistency.SESSION);
        assertThat(source("/products/p", Consistency.SESSION)).isEqualTo(Source.CLIENT_CACHE);
    }

    @Test
    void whatIsNoListOfRecordsIsReadAllTheSameAndCounted() throws Exception {
        withRecords(ofTheFilter());
        list = "[{";
        assertThat(client.get(address("/products/q")).status()).isEqualTo(200);
        assertThat(client.unreadResults()).isEqualTo(1);
        assertThatThrownBy(() -> new ResultRecords("/q", "", "//evil/{id}", ""))
                .hasMessageContaining("address is '//evil/{id}'");
        assertThatThrownBy(() -> new ResultRecords("q", "", "/{id}", "")).hasMessageContaining("lists are 'q'");
    }
}
