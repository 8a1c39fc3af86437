package io.kipimo.caching.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.invalidation.frontier.ResumeToken;
import io.kipimo.http.BearerToken;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.ResultChange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChangeServerTest {
    private static final String KEY = "key=shop/things/q1";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private ChangeServer server;
    private long next;

    @BeforeEach
    void start() throws Exception {
        server = ChangeServer.start(
                new ChangeServer.Serving(4, 3, 100, Set.of("https://shop"), Optional.empty()),
                Duration.ofSeconds(2),
                "127.0.0.1",
                0);
        server.restart(ResumeToken.start(1));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void publish(String key, String record) {
        server.publish(List.of(change(key, record)), token());
    }

    private Invalidation change(String key, String record) {
        return InvalidationBuilder.builder()
                .service("shop")
                .table("things")
                .key(key)
                .kind(CachedKind.QUERY)
                .change(ResultChange.ADDED)
                .record(record)
                .version(1L << 60)
                .writtenMillis(7)
                .mode(InvalidationMode.HARD)
                .sequence(next++)
                .build();
    }

    private ResumeToken token() {
        return new ResumeToken(List.of(next), List.of(5L));
    }

    private HttpResponse<Stream<String>> get(String query, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/changes?" + query));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofLines());
    }

    /** Lines that have arrived; the stream stays open. */
    private Queue<String> open(String query, String... headers) throws Exception {
        Stream<String> lines = get(query, headers).body();
        Queue<String> read = new ConcurrentLinkedQueue<>();
        Thread reader = new Thread(() -> {
            try {
                lines.forEach(read::add);
            } catch (java.io.UncheckedIOException e) {
                read.add("closed");
            }
        });
        reader.setDaemon(true);
        reader.start();
        return read;
    }

    private static void awaitLine(Queue<String> lines, String text) {
        await().untilAsserted(() -> assertThat(lines).anyMatch(line -> line.contains(text)));
    }

    @Test
    void aStreamHasTheChangesOfItsKeysAndIdsBetween() throws Exception {
        Queue<String> lines = open(KEY + "&key=shop/things/q3");
        awaitLine(lines, "event: ready");
        publish("q1", "r1");
        publish("q2", "r2");
        publish("q3", "r3");
        awaitLine(lines, "\"r3\"");
        assertThat(lines)
                .contains("event: change", "retry: 2000")
                .contains("data: {\"service\":\"shop\",\"table\":\"things\",\"key\":\"q1\","
                        + "\"kind\":\"QUERY\",\"change\":\"ADDED\",\"record\":\"r1\","
                        + "\"version\":\"1152921504606846976\",\"writtenMillis\":7,"
                        + "\"retryAfterMillis\":0}")
                .noneMatch(line -> line.contains("\"r2\""));
        int here = lines.size();
        await().until(() -> lines.size() > here + 4);
        assertThat(List.copyOf(lines).subList(here, here + 4))
                .allMatch(line -> line.isEmpty() || line.equals("id: " + token().text()));
    }

    @Test
    void oneThatComesBackMissesNothingOrIsToldToLoadAgain() throws Exception {
        publish("q1", "r1");
        String id = token().text();
        publish("q1", "r2");
        publish("q2", "r3");

        Queue<String> lines = open(KEY, "Last-Event-ID", id);
        awaitLine(lines, "event: ready");
        assertThat(lines)
                .anyMatch(line -> line.contains("\"r2\""))
                .noneMatch(line -> line.contains("\"r1\"") || line.contains("reload"));
        Queue<String> others = open(KEY + "&lastEventId=" + id);
        awaitLine(others, "\"r2\"");

        publish("q2", "r4");
        publish("q2", "r5");
        Queue<String> late = open(KEY, "Last-Event-ID", id);
        awaitLine(late, "event: reload");
        Queue<String> damaged = open(KEY, "Last-Event-ID", "4711");
        awaitLine(damaged, "event: reload");
        assertThat(Stream.concat(late.stream(), damaged.stream())).noneMatch(line -> line.contains("event: ready"));
    }

    @Test
    void aServerThatHasJustStartedKnowsWhatOneThatComesBackHasMissed() throws Exception {
        ResumeToken start = token();
        Invalidation seen = change("q1", "r1");
        String id = token().text();
        Invalidation missed = change("q1", "r2");
        server.restart(start, List.of(seen, missed), token());

        Queue<String> lines = open(KEY, "Last-Event-ID", id);

        awaitLine(lines, "event: ready");
        assertThat(lines)
                .anyMatch(line -> line.contains("\"r2\""))
                .noneMatch(line -> line.contains("\"r1\"") || line.contains("reload"));
    }

    @Test
    void lostNotificationsAreToldToAll() throws Exception {
        Queue<String> lines = open(KEY);
        awaitLine(lines, "event: ready");
        server.restart(ResumeToken.start(1));
        awaitLine(lines, "event: reload");
        assertThat(server.metrics()).contains("kipimo_changes_events_total{event=\"reload\"} 1");
    }

    @Test
    void streamsAreBoundedAndBadRequestsRefused() throws Exception {
        for (int i = 0; i < 4; i++) {
            awaitLine(open(KEY), "event: ready");
        }
        HttpResponse<Stream<String>> fifth = get(KEY);
        assertThat(fifth.statusCode()).isEqualTo(503);
        assertThat(fifth.headers().firstValue("Retry-After")).hasValue("2");
        assertThat(fifth.body()).containsExactly("too many streams; allowed: 4");
        assertThat(server.metrics()).contains("kipimo_changes_refused_total 1", "kipimo_changes_streams 4");
        for (String bad : List.of("", "key=", "key=shop/things", KEY + "&key=x")) {
            assertThat(get(bad).statusCode()).as(bad).isEqualTo(400);
        }
    }

    /** Java's own client refuses to send it. */
    @Test
    void aBrokenEscapeIsRefused() throws Exception {
        for (String broken : List.of("key=%zz", KEY + "&lastEventId=%", KEY + "&token=%e")) {
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                client.getOutputStream()
                        .write(("GET /changes?" + broken + " HTTP/1.1\r\nHost: x\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                byte[] line = client.getInputStream().readNBytes("HTTP/1.1 400".length());
                assertThat(new String(line, StandardCharsets.US_ASCII))
                        .as(broken)
                        .isEqualTo("HTTP/1.1 400");
            }
        }
    }

    @Test
    void strangersCloseNoStreamOfOneThatHasTheToken() throws Exception {
        String token = "a-secret-of-pages";
        server.close();
        server = ChangeServer.start(
                new ChangeServer.Serving(4, 3, 100, Set.of(), Optional.of(new BearerToken(token))), "127.0.0.1", 0);
        server.restart(ResumeToken.start(1));
        Queue<String> lines = open(KEY, "Authorization", "Bearer " + token);
        awaitLine(lines, "event: ready");
        List<Socket> strangers = new ArrayList<>();
        try {
            // All have begun a request, so that they are as busy as a stream.
            for (int i = 0; i < 600; i++) {
                Socket stranger = new Socket(InetAddress.getLoopbackAddress(), server.port());
                strangers.add(stranger);
                stranger.getOutputStream().write("GET /changes HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            publish("q1", "after them");
            awaitLine(lines, "after them");
            assertThat(lines).doesNotContain("closed");
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void onlyConfiguredOriginsMayRead() throws Exception {
        assertThat(get("key=", "Origin", "https://shop").headers().map())
                .containsEntry("access-control-allow-origin", List.of("https://shop"))
                .containsEntry("vary", List.of("origin"));
        assertThat(get("key=", "Origin", "https://evil").headers().map())
                .doesNotContainKey("access-control-allow-origin")
                .containsEntry("vary", List.of("origin"));
        assertThatThrownBy(() -> new ChangeServer.Serving(1, 1, 100, Set.of("https://shop/"), Optional.empty()))
                .hasMessage("origin is 'https://shop/'; allowed: https://HOST, https://HOST:PORT or *");
        assertThatThrownBy(() -> new ChangeServer.Serving(0, 1, 100, Set.of(), Optional.empty()))
                .hasMessage("streams is 0; allowed: 1..100000");
    }

    @Test
    void whoLacksTheTokenIsRefusedAndCounted() throws Exception {
        String token = "a-secret-of-pages";
        server.close();
        server = ChangeServer.start(
                new ChangeServer.Serving(4, 3, 100, Set.of("https://shop"), Optional.of(new BearerToken(token))),
                "127.0.0.1",
                0);
        server.restart(ResumeToken.start(1));

        for (String bad : List.of(KEY, KEY + "&token=", KEY + "&token=a-secret-of-others")) {
            assertThat(get(bad, "Origin", "https://shop").statusCode()).as(bad).isEqualTo(401);
        }
        assertThat(get(KEY, "Authorization", "Bearer a-secret-of-others").statusCode())
                .isEqualTo(401);
        assertThat(server.metrics()).contains("kipimo_changes_unauthorized_total 4", "kipimo_changes_streams 0");

        awaitLine(open(KEY, "Authorization", "Bearer " + token), "event: ready");
        awaitLine(open(KEY + "&token=" + token), "event: ready");
        assertThat(server.metrics()).doesNotContain(token);
    }

    @Test
    void oneThatDoesNotReadIsDisconnectedAndCountedAndOthersGoOn() throws Exception {
        Queue<String> other = open(KEY);
        awaitLine(other, "event: ready");
        try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            slow.setReceiveBufferSize(4_096);
            request(slow.getOutputStream());
            await().until(() -> server.metrics().contains("kipimo_changes_streams 2"));
            String record = "r".repeat(1_000);
            await().atMost(Duration.ofMinutes(2)).until(() -> {
                List<Invalidation> changes = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    changes.add(change("q1", record));
                }
                server.publish(changes, token());
                return server.metrics().contains("kipimo_changes_slow_total 1");
            });
            await().until(() -> server.metrics().contains("kipimo_changes_streams 1"));
        }
        // While it reads what came before, it may be told to load again instead.
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            publish("q1", "the last one");
            return other.stream().anyMatch(line -> line.contains("the last one"));
        });
    }

    private static void request(OutputStream out) throws IOException {
        out.write(("GET /changes?" + KEY + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}
