package io.kipimo.console.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.sdk.internal.net.AddressRange;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleServerTest {
    private static final String TOKEN = "sample-token-0000";
    private static final String WISH = "{\"fraction\":0.5,\"forMillis\":1800000,\"by\":\"ann\",\"reason\":\"sale\"}";
    private static final String OVERRIDE = "/api/services/search/classes/low/override";

    private final HttpClient client = HttpClient.newHttpClient();
    private final SampleContent content = new SampleContent(3);
    private final SampleWrites writes = new SampleWrites();
    private final SampleGates gates = new SampleGates();
    private ConsoleServer server;

    @BeforeEach
    void start() throws Exception {
        server = start(ServerSettings.LOOPBACK, Optional.of(TOKEN));
    }

    private ConsoleServer start(String host, Optional<String> token) throws Exception {
        return ConsoleServer.start(new ServerSettings(host, 0, token), content, writes, gates);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theGateIsReadByItsDocumentAndByFlaggersStatus() throws Exception {
        assertThat(get("/api/v1/gate?service=good&class=high&since=5m").body()).isEqualTo("{\"verdict\":\"PASS\"}");
        assertThat(gates.asked().get(0)).isEqualTo(Map.of("service", "good", "class", "high", "since", "5m"));
        HttpResponse<String> notEnough = get("/api/v1/gate?service=new");
        assertThat(notEnough.statusCode()).isEqualTo(200);
        assertThat(notEnough.body()).isEqualTo("{\"verdict\":\"NOT-ENOUGH\"}");
        assertThat(get("/api/v1/gate").statusCode()).isEqualTo(400);

        String webhook = "{\"name\":\"canary\",\"phase\":\"Progressing\",\"checksum\":\"1\",\"x\":{\"y\":[1]},"
                + "\"metadata\":{\"service\":\"%s\",\"minimum-samples\":50}}";
        assertThat(flagger(server, webhook.formatted("good")).statusCode()).isEqualTo(200);
        assertThat(gates.asked().get(3)).containsEntry("minimum-samples", "50");
        HttpResponse<String> refused = flagger(server, webhook.formatted("new"));
        assertThat(refused.statusCode()).isEqualTo(412);
        assertThat(refused.body()).contains("NOT-ENOUGH");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"metadata\":3}", "{\"metadata\":{\"service\":[]}}"})
    void flaggerNeedsTextsInMetadata(String body) throws Exception {
        HttpResponse<String> answer = flagger(server, body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("allowed: an object whose metadata has texts");
        assertThat(gates.asked()).isEmpty();
    }

    @Test
    void flaggerGivesTheTokenInItsMetadataWhereReadersNeedIt() throws Exception {
        String webhook = "{\"metadata\":{\"service\":\"good\",\"token\":\"%s\"}}";
        try (ConsoleServer open = start("0.0.0.0", Optional.of(TOKEN))) {
            assertThat(flagger(open, webhook.formatted("wrong")).statusCode()).isEqualTo(401);
            assertThat(gates.asked()).isEmpty();
            assertThat(flagger(open, webhook.formatted(TOKEN)).statusCode()).isEqualTo(200);
            assertThat(gates.asked()).containsExactly(Map.of("service", "good"));
        }
    }

    private static HttpResponse<String> flagger(ConsoleServer to, String body) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + to.port() + "/api/v1/flagger"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void worstQueriesAreFilteredAndLimited() throws Exception {
        assertThat(get("/api/v1/queries?service=search&class=low&limit=7").body())
                .contains("Optional[search] Optional[low] 7");
        assertThat(get("/api/v1/queries").body()).contains("Optional.empty Optional.empty 20");
        assertThat(get("/api/v1/queries?limit=0").body()).contains("allowed: 1..999");
        assertThat(get("/api/v1/queries?limit=1000").statusCode()).isEqualTo(400);
        assertThat(get("/api/v1/queries?sevice=x").body()).contains("allowed: class, limit, service");
    }

    @Test
    void servesThePageAndItsData() throws Exception {
        assertThat(get("/").body()).contains("<title>Kipimo");
        assertThat(get("/api/state").body()).contains("\"history\"");
        assertThat(get("/api/summary").body()).contains("\"search\"").doesNotContain("\"history\"");
        assertThat(get("/api/services/search").body()).startsWith("{\"name\":\"search\"");
        assertThat(get("/healthz").body()).isEqualTo("ok\n");
        assertThat(get("/metrics").body()).contains("kipimo_console_streams 0");
        assertThat(get("/favicon.ico").statusCode()).isIn(200, 204);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/services/nobody, 404",
        "/api/nothing, 404",
        "/nothing.js, 404",
        "/..%2f..%2fpom.xml, 404",
        "/../server/ConsoleServer.class, 404",
        "/%zz, 400"
    })
    void missingPathsAreRefusedInOneLine(String path, int status) throws Exception {
        // The JDK's client refuses to send some of these.
        String answer = raw("localhost", path);
        assertThat(answer).startsWith("HTTP/1.1 " + status);
        assertThat(answer.lines().reduce((a, b) -> b).orElseThrow()).startsWith("{\"error\":\"");
    }

    @Test
    void filesAreSentOnceAndThenOnlyTheirTag() throws Exception {
        String tag = get("/").headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> again = send(request("/").header("If-None-Match", tag));
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void everyAnswerTellsBrowsersToLoadNothingFromElsewhere() throws Exception {
        for (String path : new String[] {"/", "/api/summary", "/nothing", "/api/events"}) {
            HttpResponse<InputStream> answer = client.send(request(path).build(), BodyHandlers.ofInputStream());
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .startsWith("default-src 'self'")
                    .doesNotContain("unsafe");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            answer.body().close();
        }
    }

    @Test
    void documentsAreCompressedIfTheClientAcceptsIt() throws Exception {
        HttpResponse<InputStream> answer = client.send(
                request("/api/state").header("Accept-Encoding", "br, gzip").build(), BodyHandlers.ofInputStream());
        assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
        byte[] json = new GZIPInputStream(answer.body()).readAllBytes();
        assertThat(new ObjectMapper().readTree(json).path("services")).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pushesTheSummaryAndTheServiceThatIsLookedAt(boolean zipped) throws Exception {
        HttpRequest.Builder request = request("/api/events?service=search");
        if (zipped) {
            request.header("Accept-Encoding", "gzip");
        }
        HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
        try (InputStream lines = zipped ? new GZIPInputStream(answer.body()) : answer.body()) {
            assertThat(next(lines, "event: ")).isEqualTo("event: summary");
            assertThat(next(lines, "event: ")).isEqualTo("event: service");
            assertThat(next(lines, "data: ")).contains("\"name\":\"search\"");
            content.connected(false);
            String data = next(lines, "data: ");
            while (!data.contains("\"broker\":\"away\"")) {
                data = next(lines, "data: ");
            }
        }
        await().untilAsserted(() -> assertThat(get("/metrics").body()).contains("kipimo_console_streams 0"));
    }

    /** The next line with this prefix. Reads byte by byte, since readers block until their buffers are full. */
    private static String next(InputStream events, String start) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            int next = events.read();
            if (next < 0) {
                throw new EOFException("the stream ended");
            }
            if (next != '\n') {
                line.write(next);
            } else if (line.toString(StandardCharsets.UTF_8).startsWith(start)) {
                return line.toString(StandardCharsets.UTF_8);
            } else {
                line.reset();
            }
        }
    }

    @Test
    void aClientThatDoesNotReadDelaysNoOther() throws Exception {
        SampleContent large = new SampleContent(300);
        try (ConsoleServer other = ConsoleServer.start(
                        new ServerSettings(ServerSettings.LOOPBACK, 0, Optional.empty()), large, writes, gates);
                Socket sleeper = new Socket(InetAddress.getLoopbackAddress(), other.port())) {
            sleeper.getOutputStream()
                    .write("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            HttpResponse<InputStream> answer = client.send(
                    HttpRequest.newBuilder(URI.create(other.address() + "api/events"))
                            .build(),
                    BodyHandlers.ofInputStream());
            try (InputStream lines = new BufferedInputStream(answer.body())) {
                for (int i = 0; i < 4; i++) {
                    large.changed();
                    assertThat(next(lines, "data: ")).contains("service-299");
                }
            }
        }
    }

    @Test
    void withTheTokenChangesAreAccepted() throws Exception {
        assertThat(post(OVERRIDE, WISH, TOKEN).body()).isEqualTo("{\"version\":8}");
        assertThat(send(authorized(OVERRIDE, TOKEN).method("DELETE", BodyPublishers.noBody()))
                        .body())
                .isEqualTo("{\"version\":9}");
        post("/api/services/search/kill", "{\"on\":true,\"by\":\"ann\",\"reason\":\"drill\"}", TOKEN);
        assertThat(writes.taken())
                .containsExactly(
                        "search/low to 0.5 for 1800000 by ann: sale",
                        "search/low cleared",
                        "search kill switch on by ann: drill");
        assertThat(post(OVERRIDE.replace("search", "nobody"), WISH, TOKEN).statusCode())
                .isEqualTo(404);
    }

    @Test
    void withoutTheTokenNothingIsChanged() throws Exception {
        assertThat(post(OVERRIDE, WISH, "another-token-00").statusCode()).isEqualTo(401);
        assertThat(send(request(OVERRIDE).POST(BodyPublishers.ofString(WISH))).statusCode())
                .isEqualTo(401);
        try (ConsoleServer readOnly = start(ServerSettings.LOOPBACK, Optional.empty())) {
            server.close();
            server = readOnly;
            assertThat(post(OVERRIDE, WISH, TOKEN).statusCode()).isEqualTo(403);
        }
        assertThat(writes.taken()).isEmpty();
    }

    @Test
    void anotherSitesPageChangesAndSeesNothing() throws Exception {
        HttpRequest.Builder foreign = authorized(OVERRIDE, TOKEN)
                .header("Origin", "http://evil.example")
                .POST(BodyPublishers.ofString(WISH));
        assertThat(send(foreign).statusCode()).isEqualTo(403);
        assertThat(send(authorized(OVERRIDE, TOKEN)
                                .header("Sec-Fetch-Site", "cross-site")
                                .POST(BodyPublishers.ofString(WISH)))
                        .statusCode())
                .isEqualTo(403);
        // A foreign name that resolves to this machine.
        assertThat(raw("evil.example:8080", "/api/state")).startsWith("HTTP/1.1 421");
        assertThat(send(authorized(OVERRIDE, TOKEN)
                                .header("Origin", "http://127.0.0.1:" + server.port())
                                .POST(BodyPublishers.ofString(WISH)))
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"fraction\":1.5,\"forMillis\":5000,\"by\":\"a\",\"reason\":\"r\"} | fraction is 1.5",
                "{\"fraction\":\"x\",\"forMillis\":5000,\"by\":\"a\",\"reason\":\"r\"} | fraction is",
                "{\"fraction\":1e999,\"forMillis\":5000,\"by\":\"a\",\"reason\":\"r\"} | fraction is",
                "{\"fraction\":1,\"forMillis\":0,\"by\":\"a\",\"reason\":\"r\"} | forMillis is",
                "{\"fraction\":1,\"forMillis\":5000,\"reason\":\"r\"} | by is not there",
                "{\"fraction\":1,\"forMillis\":5000,\"by\":\"a\\u0007\",\"reason\":\"r\"} | by is too long or has control",
                "{\"fraction\":1,\"forMillis\":5000,\"by\":\"a\",\"reason\":\"r\",\"x\":{}} | a field is not known",
                "{\"fraction\":[1]} | fraction is not plain",
                "[1] | body is not an object",
                "{ | body is no JSON"
            })
    void wrongBodiesAreRefusedWithWhatIsAllowed(String body, String told) throws Exception {
        HttpResponse<String> answer = post(OVERRIDE, body, TOKEN);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(new ObjectMapper().readTree(answer.body()).path("error").asText())
                .contains(told);
        assertThat(writes.taken()).isEmpty();
    }

    @Test
    void endlessBodiesAreCutOff() throws Exception {
        assertThat(post(OVERRIDE, " ".repeat(9_000), TOKEN).statusCode()).isEqualTo(413);
    }

    @Test
    void otherMethodsAreRefused() throws Exception {
        assertThat(send(request("/").POST(BodyPublishers.noBody())).statusCode())
                .isEqualTo(405);
        assertThat(send(authorized(OVERRIDE, TOKEN).GET()).statusCode()).isEqualTo(405);
    }

    @Test
    void elsewhereThanOnLoopbackEverythingTakesTheToken() throws Exception {
        assertThatThrownBy(() -> new ServerSettings("0.0.0.0", 0, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("token");
        server.close();
        server = start("0.0.0.0", Optional.of(TOKEN));
        assertThat(get("/api/summary").statusCode()).isEqualTo(401);
        assertThat(get("/").statusCode()).isEqualTo(401);
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
        assertThat(get("/?token=wrong").statusCode()).isEqualTo(401);
        assertThat(send(authorized("/api/summary", TOKEN)).statusCode()).isEqualTo(200);

        HttpResponse<String> entry = get("/?token=" + TOKEN);
        assertThat(entry.statusCode()).isEqualTo(303);
        String cookie = entry.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie)
                .containsIgnoringCase("HttpOnly")
                .contains("SameSite=Strict")
                .doesNotContain(TOKEN);
        String session = cookie.split(";")[0];
        assertThat(send(request("/api/summary").header("Cookie", session)).statusCode())
                .isEqualTo(200);
        // The header permits reading only.
        assertThat(send(request(OVERRIDE)
                                .header("Cookie", session)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(WISH)))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void aPortInUseIsRefusedInOneLine() {
        assertThatThrownBy(() -> ConsoleServer.start(
                        new ServerSettings(ServerSettings.LOOPBACK, server.port(), Optional.empty()),
                        content,
                        writes,
                        gates))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on 127.0.0.1:" + server.port());
    }

    /** A console behind a proxy on this machine, or only behind other proxies. */
    private void startBehind(String proxies, Optional<String> token) throws Exception {
        server.close();
        server = ConsoleServer.start(
                new ServerSettings(
                        ServerSettings.LOOPBACK,
                        0,
                        token,
                        Optional.of(URI.create("https://kipimo.example")),
                        Optional.of(new ProxyLogin(
                                "X-Forwarded-User", AddressRange.parse(proxies).orElseThrow()::contains))),
                content,
                writes,
                gates);
    }

    private HttpRequest.Builder named(String path, String... names) {
        HttpRequest.Builder request =
                request(path).header("Content-Type", "application/json").header("Origin", "https://kipimo.example");
        for (String name : names) {
            request.header("X-Forwarded-User", name);
        }
        return request;
    }

    @Test
    void whomATrustedProxyNamesReadsChangesAndSigns() throws Exception {
        startBehind("127.0.0.0/8", Optional.empty());

        assertThat(send(named("/api/user", "ann")).body()).isEqualTo("{\"user\":\"ann\"}");
        assertThat(send(named("/api/summary", "ann")).statusCode()).isEqualTo(200);
        HttpResponse<String> changed =
                send(named(OVERRIDE, "zoe").POST(BodyPublishers.ofString(WISH.replace("\"ann\"", "\"bob\""))));
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(changed.headers().firstValue("Set-Cookie")).isEmpty();
        send(named("/api/services/search/kill", "zoe")
                .POST(BodyPublishers.ofString("{\"on\":true,\"reason\":\"drill\"}")));
        assertThat(writes.taken())
                .containsExactly("search/low to 0.5 for 1800000 by zoe: sale", "search kill switch on by zoe: drill");
    }

    @Test
    void thoseWhomTheProxyDoesNotNameSeeNothing() throws Exception {
        startBehind("127.0.0.0/8", Optional.empty());

        for (String path : List.of("/", "/api/summary", "/api/user", "/api/events", "/metrics")) {
            assertThat(get(path).statusCode()).as(path).isEqualTo(401);
            assertThat(send(named(path, "")).statusCode()).as(path).isEqualTo(401);
            assertThat(send(named(path, "  ")).statusCode()).as(path).isEqualTo(401);
        }
        assertThat(send(named(OVERRIDE, "").POST(BodyPublishers.ofString(WISH))).statusCode())
                .isEqualTo(401);
        assertThat(writes.taken()).isEmpty();
    }

    @Test
    void theHeaderOfAnUntrustedPeerIsIgnored() throws Exception {
        startBehind("10.0.0.0/8", Optional.of(TOKEN));

        assertThat(send(named("/api/summary", "ann")).statusCode()).isEqualTo(401);
        assertThat(send(named(OVERRIDE, "ann").POST(BodyPublishers.ofString(WISH)))
                        .statusCode())
                .isEqualTo(401);
        assertThat(writes.taken()).isEmpty();
        assertThat(send(named("/api/user", "ann").header("Authorization", "Bearer " + TOKEN))
                        .body())
                .isEqualTo("{\"user\":null}");
        assertThat(send(named(OVERRIDE, "mallory")
                                .header("Authorization", "Bearer " + TOKEN)
                                .POST(BodyPublishers.ofString(WISH)))
                        .statusCode())
                .isEqualTo(200);
        assertThat(writes.taken()).containsExactly("search/low to 0.5 for 1800000 by ann: sale");
    }

    @Test
    void aHeaderThatNamesNobodyClearlyIsRefused() throws Exception {
        startBehind("127.0.0.0/8", Optional.of(TOKEN));

        assertThat(send(named("/api/summary", "ann", "bob")).body())
                .contains("X-Forwarded-User is there more than once");
        assertThat(send(named("/api/summary", "ann, bob")).body()).contains("no comma");
        assertThat(send(named("/api/summary", "a".repeat(257))).statusCode()).isEqualTo(400);
        assertThat(send(named(OVERRIDE, "ann", "bob").POST(BodyPublishers.ofString(WISH)))
                        .statusCode())
                .isEqualTo(400);
        assertThat(writes.taken()).isEmpty();
    }

    /** A proxy may know the user by a cookie, which browsers send for other sites' pages, too. */
    @Test
    void aUserChangesNothingFromAnotherSitesPage() throws Exception {
        startBehind("127.0.0.0/8", Optional.empty());
        HttpRequest.Builder withoutOrigin =
                request(OVERRIDE).header("Content-Type", "application/json").header("X-Forwarded-User", "ann");

        assertThat(send(withoutOrigin.POST(BodyPublishers.ofString(WISH))).statusCode())
                .isEqualTo(403);
        assertThat(send(request(OVERRIDE)
                                .header("Content-Type", "application/json")
                                .header("X-Forwarded-User", "ann")
                                .header("Origin", "https://evil.example")
                                .POST(BodyPublishers.ofString(WISH)))
                        .statusCode())
                .isEqualTo(403);
        assertThat(writes.taken()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Authorization", "cookie", "X User", "X:User", "Host"})
    void aLoginHeaderWithAMeaningOfItsOwnIsRefused(String header) {
        assertThatThrownBy(() -> new ProxyLogin(header, address -> true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("login header is '" + header + "'; allowed:");
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    private HttpResponse<String> post(String path, String body, String token) throws Exception {
        return send(authorized(path, token).POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder authorized(String path, String token) {
        return request(path).header("Authorization", "Bearer " + token).header("Content-Type", "application/json");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Requests of a careless client. */
    private String raw(String host, String path) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
