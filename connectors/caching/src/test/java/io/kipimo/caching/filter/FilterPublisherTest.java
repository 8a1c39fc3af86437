package io.kipimo.caching.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.http.HostileClients;
import io.kipimo.http.Reply;
import io.kipimo.sdk.caching.CachingClient;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class FilterPublisherTest {
    private static final FilterShape SHAPE = FilterShape.ONE_ROUND_TRIP;
    private static final long START_MILLIS = 1_000_000;

    private final AtomicLong now = new AtomicLong(START_MILLIS);
    private final ExpiringFilter products = new ExpiringFilter(SHAPE, 3_600_000);
    private final ExpiringFilter orders = new ExpiringFilter(SHAPE, 3_600_000);

    @Test
    void servesTheUnionOfAllTables() throws Exception {
        makeStale(products, "p");
        makeStale(orders, "o");
        FlatFilter union = filter(publisher(0).reply("", ""));
        assertThat(union.mightContain("p")).isTrue();
        assertThat(union.mightContain("o")).isTrue();
        assertThat(union.mightContain("q")).isFalse();
    }

    @Test
    void whoHasItAlreadyGetsNoBody() {
        FilterPublisher publisher = publisher(0);
        String etag = publisher.reply("", "").headers().get("ETag");
        Reply again = publisher.reply(etag, "gzip");
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        makeStale(products, "p");
        assertThat(publisher.reply(etag, "gzip").status()).isEqualTo(200);
    }

    @Test
    void compressedWhereTheClientTakesIt() throws Exception {
        makeStale(products, "p");
        Reply gzip = publisher(0).reply("", "br, gzip");
        assertThat(gzip.headers()).containsEntry("Content-Encoding", "gzip");
        assertThat(gzip.body().length).isLessThan(SHAPE.bytes() / 50);
        byte[] plain = new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes();
        assertThat(FlatFilter.of(SHAPE, plain)).isEqualTo(filter(publisher(0).reply("", "")));
    }

    @Test
    void anAnswerThatIsKeptSaysHowOldItIs() throws Exception {
        FilterPublisher publisher = publisher(100);
        publisher.reply("", "");
        makeStale(products, "p");
        now.addAndGet(60);
        Reply kept = publisher.reply("", "");
        assertThat(kept.headers()).containsEntry(CachingClient.FILTER_AGE_MILLIS, "60");
        assertThat(filter(kept).mightContain("p")).isFalse();
        now.addAndGet(40);
        Reply fresh = publisher.reply("", "");
        assertThat(fresh.headers()).containsEntry(CachingClient.FILTER_AGE_MILLIS, "0");
        assertThat(filter(fresh).mightContain("p")).isTrue();
    }

    @Test
    void aHomeThatCannotBeAskedIsNotPassedOver() {
        FilterShape other = new FilterShape(8, 1);
        StaleKeys away = new ExpiringFilter(other, 1);
        FilterPublisher publisher = new FilterPublisher(SHAPE, List.of(products, away), 0, now::get);
        assertThat(publisher.reply("", "").status()).isEqualTo(503);
        assertThat(publisher.metrics())
                .contains(
                        "kipimo_filter_answers_total{result=\"unavailable\"} 1",
                        "kipimo_filter_answers_total{result=\"served\"} 0");
    }

    @Test
    void aFilterThatHasLostKeysIsNoneUntilTheirCopiesHaveEnded() {
        long whole = now.get() + 60_000;
        StaleKeys emptied = new ExpiringFilter(SHAPE, 60_000, whole);
        FilterPublisher publisher = new FilterPublisher(SHAPE, List.of(products, emptied), 0, now::get);
        now.set(whole - 1_000);
        Reply young = publisher.reply("", "");
        assertThat(young.status()).isEqualTo(503);
        assertThat(young.headers()).containsEntry("Cache-Control", "no-store");
        assertThat(publisher.metrics())
                .contains("kipimo_filter_answers_total{result=\"lost\"} 1", "kipimo_filter_lost_seconds 1");
        now.set(whole);
        assertThat(publisher.reply("", "").status()).isEqualTo(200);
        assertThat(publisher.metrics()).contains("kipimo_filter_lost_seconds 0");
    }

    @Test
    void overHttp() throws Exception {
        makeStale(products, "p");
        try (FilterServer server = FilterServer.start(publisher(0), "127.0.0.1", 0)) {
            HttpClient http = HttpClient.newHttpClient();
            URI address = URI.create("http://127.0.0.1:" + server.port() + FilterServer.PATH);
            HttpResponse<byte[]> first =
                    http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofByteArray());
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(FlatFilter.of(SHAPE, first.body()).mightContain("p")).isTrue();
            HttpResponse<byte[]> second = http.send(
                    HttpRequest.newBuilder(address)
                            .header(
                                    "If-None-Match",
                                    first.headers().firstValue("ETag").orElseThrow())
                            .build(),
                    BodyHandlers.ofByteArray());
            assertThat(second.statusCode()).isEqualTo(304);
            HttpResponse<String> metrics = http.send(
                    HttpRequest.newBuilder(address.resolve("/metrics")).build(), BodyHandlers.ofString());
            assertThat(metrics.body()).contains("kipimo_filter_answers_total{result=\"served\"} 2");
        }
    }

    /** Fetch standard, sec. 3.2: If-None-Match needs a preflight, and scripts read what is exposed. */
    @Test
    void pagesOfConfiguredOriginsReadIt() throws Exception {
        try (FilterServer server = FilterServer.start(publisher(0), Set.of("https://shop"), "127.0.0.1", 0)) {
            HttpClient http = HttpClient.newHttpClient();
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + FilterServer.PATH));
            HttpHeaders preflight = http.send(
                            request.copy()
                                    .method("OPTIONS", BodyPublishers.noBody())
                                    .headers("Origin", "https://shop", "Access-Control-Request-Method", "GET")
                                    .header("Access-Control-Request-Headers", "if-none-match")
                                    .build(),
                            BodyHandlers.discarding())
                    .headers();
            assertThat(preflight.firstValue("Access-Control-Allow-Origin")).hasValue("https://shop");
            assertThat(preflight.firstValue("Access-Control-Allow-Headers")).hasValue("If-None-Match");
            assertThat(preflight.firstValue("Access-Control-Allow-Methods")).hasValue("GET, HEAD");

            HttpHeaders answer = http.send(
                            request.copy().header("Origin", "https://shop").build(), BodyHandlers.discarding())
                    .headers();
            assertThat(answer.firstValue("Access-Control-Allow-Origin")).hasValue("https://shop");
            assertThat(answer.firstValue("Access-Control-Expose-Headers").orElseThrow())
                    .contains(
                            CachingClient.FILTER_HASHES, CachingClient.FILTER_AGE_MILLIS, CachingClient.FILTER_WINDOWS);
            assertThat(answer.allValues("Vary")).containsExactlyInAnyOrder("Accept, Accept-Encoding", "origin");

            HttpHeaders other = http.send(
                            request.copy().header("Origin", "https://evil").build(), BodyHandlers.discarding())
                    .headers();
            assertThat(other.map()).doesNotContainKey("access-control-allow-origin");
        }
        assertThatThrownBy(() -> FilterServer.start(publisher(0), Set.of("shop"), "127.0.0.1", 0))
                .hasMessage("origin is 'shop'; allowed: https://HOST, https://HOST:PORT or *");
    }

    /** All tables' windows, and new times when the bytes are the same. */
    @Test
    void whoTakesWindowsLearnsWhenKeysBecameStale() {
        makeStale(products, "p");
        now.addAndGet(1_000_000);
        makeStale(orders, "o");
        FilterPublisher publisher = publisher(0);
        Reply reply = publisher.reply("", "", CachingClient.FILTER_WITH_WINDOWS);
        int windows = products.recent(now.get()).windows().size();
        assertThat(reply.headers().get(CachingClient.FILTER_WINDOWS).split(", "))
                .hasSize(windows);
        assertThat(reply.body()).hasSize(windows * SHAPE.bytes());
        for (int i = 0; i < windows; i++) {
            byte[] part = Arrays.copyOfRange(reply.body(), i * SHAPE.bytes(), (i + 1) * SHAPE.bytes());
            assertThat(FlatFilter.of(SHAPE, part).mightContain("o"))
                    .as("part %s", i)
                    .isTrue();
            assertThat(FlatFilter.of(SHAPE, part).mightContain("p")).isFalse();
        }
        now.addAndGet(100);
        Reply again = publisher.reply(reply.headers().get("ETag"), "", CachingClient.FILTER_WITH_WINDOWS);
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.headers().get(CachingClient.FILTER_WINDOWS)).startsWith("2000100, ");
        assertThat(publisher.reply(reply.headers().get("ETag"), "").body()).hasSize(SHAPE.bytes());
    }

    @Test
    void hostileClientsTakeNobodysTurn() throws Exception {
        try (FilterServer server = FilterServer.start(publisher(0), "127.0.0.1", 0)) {
            HostileClients.attack(server.port(), FilterServer.PATH);
        }
    }

    private FilterPublisher publisher(long keptMillis) {
        return new FilterPublisher(SHAPE, List.of(products, orders), keptMillis, now::get);
    }

    private void makeStale(ExpiringFilter table, String key) {
        table.reportRead(key, now.get() + 60_000, now.get());
        table.invalidate(key, now.get());
    }

    private static FlatFilter filter(Reply reply) {
        assertThat(reply.status()).isEqualTo(200);
        return FlatFilter.of(SHAPE, reply.body());
    }
}
