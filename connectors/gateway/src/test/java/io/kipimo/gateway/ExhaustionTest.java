package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.http.HostileClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller that is slow, sends large bodies or leaves does not exhaust the places of others. */
class ExhaustionTest extends StartedParts {
    private static final String UNDER_WAY = "kipimo_gateway_under_way{listener=\"web\"}";
    private static final String BUFFERED = "kipimo_gateway_buffered_bytes";
    private static final String CONNECTIONS = "kipimo_gateway_connections{listener=\"web\"}";
    private static final String REFUSED = "kipimo_gateway_connections_refused_total{listener=\"web\"}";
    private static final String CHUNKED = "POST /slow HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String SMALL_LIMIT = "limit: {initial: 4, least: 4, most: 4}";

    private GatewayUnderTest before(RawServer server, String buffers, String... more) throws Exception {
        keep(server);
        return keep(GatewayUnderTest.start(server.port(), buffers, more));
    }

    private Wire open(GatewayUnderTest gateway, String text) throws Exception {
        Wire wire = keep(gateway.connect());
        wire.send(text);
        return wire;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx",
                "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx",
                "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\nx",
                CHUNKED + "1\r\nx\r\n",
                "GET /slow HTTP/1.1\r\nHost: a\r\n"
            })
    void slowRequestsShutNobodyOut(String begun) throws Exception {
        GatewayUnderTest gateway = before(RawServer.start(RawServer.echo()), "64m", SMALL_LIMIT, "clients: {body: 1h}");
        for (int i = 0; i < 150; i++) {
            open(gateway, begun);
        }
        for (int i = 0; i < 20; i++) {
            assertThat(gateway.get("/" + i)).isEqualTo("200 /" + i);
        }
        assertThat(gateway.count("shed_by_limit")).isZero();
    }

    /** The place is taken before the server can start: a full limit still sheds. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nx_y",
                "GET /late HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nx_y",
                "POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx_y",
                CHUNKED + "1\r\nx\r\n_1\r\ny\r\n0\r\n\r\n"
            })
    void aBodyThatIsThereNeedsAPlace(String request) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        RawServer server = RawServer.start((came, peer) -> {
            release.await();
            peer.send(RawServer.ok(came.target()));
        });
        GatewayUnderTest gateway = before(server, "64m", SMALL_LIMIT, "arbitration: {retries: 0}");
        String[] parts = request.split("_", -1);
        boolean isLarge = parts[0].contains("2000000");
        Wire late = open(gateway, parts[0] + "x".repeat(isLarge ? 2_000_000 - 2 : 0));
        boolean isSmall = parts[0].contains("Content-Length: 2\r");
        await().until(() -> server.open.get() == (isSmall ? 0 : 1));
        for (int i = 0; i < 4; i++) {
            open(gateway, "GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        await().until(() -> server.requests.size() == 4);

        late.send(parts[1]);

        assertThat(late.readAll()).startsWith("HTTP/1.1 503 ").containsOnlyOnce("HTTP/1.1 ");
        release.countDown();
        await().until(() -> gateway.metric(UNDER_WAY) == 0);
        assertThat(server.requests).noneMatch(r -> r.isWhole() && !r.target().equals("/held"));
        assertThat(gateway.get("/after")).isEqualTo("200 /after");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\nX: ",
                "GET",
                "\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\n\r\nGET /next HT",
            })
    void aHeadHasADeadline(String begun) throws Exception {
        GatewayUnderTest gateway = before(RawServer.start(RawServer.echo()), "64m", "clients: {head: 100ms}");
        assertThat(open(gateway, begun).readToEnd()).contains("HTTP/1.1 408 ");
        assertThat(open(gateway, "").readToEnd())
                .as("no answer to a silent client")
                .isEmpty();
        assertThat(gateway.fault("slow-head")).isEqualTo(2);
    }

    @Test
    void aConnectionMayBeIdleBetweenItsRequests() throws Exception {
        GatewayUnderTest gateway =
                before(RawServer.start(RawServer.echo()), "64m", "clients: {head: 50ms, body: 50ms}");
        Wire wire = open(gateway, "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
        // Reads until nothing has arrived for several deadlines.
        assertThat(wire.readAll()).endsWith("/1");
        wire.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(wire.readAll()).endsWith("/2");
        assertThat(gateway.fault("slow-head")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx",
                "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx",
                CHUNKED + "1\r\nx\r\n",
                CHUNKED + "1"
            })
    void aBodyHasALeastRate(String begun) throws Exception {
        RawServer server = RawServer.start(RawServer.echo());
        GatewayUnderTest gateway = before(server, "64m", "clients: {body: 100ms, least-rate: 1k}");
        assertThat(open(gateway, begun).readToEnd()).startsWith("HTTP/1.1 408 ");
        assertThat(gateway.fault("slow-body")).isEqualTo(1);
        await().until(() -> server.open.get() == 0);
        assertThat(server.whole()).isEmpty();
        await().until(() -> gateway.metric(BUFFERED) == 0);
        await().until(() -> gateway.metric(UNDER_WAY) == 0);
    }

    /** An earlier high rate gives no credit. */
    @Test
    void aBodyThatStopsIsTooSlowHoweverFastItWas() throws Exception {
        GatewayUnderTest gateway = before(RawServer.start(RawServer.echo()), "64m", "clients: {body: 200ms}");
        Wire wire = open(gateway, CHUNKED + "400000\r\n" + "x".repeat(1 << 20));
        assertThat(wire.readToEnd()).startsWith("HTTP/1.1 408 ");
    }

    /** A caller that reads nothing keeps no place, and its connection is closed. */
    @Test
    void aResponseHasALeastRateToo() throws Exception {
        String large = "z".repeat(16 << 20);
        RawServer server = RawServer.start((request, peer) ->
                peer.send(RawServer.ok(request.target().equals("/large") ? large : request.target())));
        GatewayUnderTest gateway = before(server, "64m", SMALL_LIMIT, "clients: {body: 1h}");
        for (int i = 0; i < 8; i++) {
            open(gateway, "GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
            int asked = i + 1;
            await().until(() -> server.requests.size() == asked);
            // It has one until the server has begun to answer.
            await().until(() -> gateway.get("/" + asked).equals("200 /" + asked));
            server.requests.removeIf(r -> !r.target().equals("/large"));
        }
        GatewayUnderTest hasty = keep(GatewayUnderTest.start(server.port(), "64m", "clients: {body: 200ms}"));
        open(hasty, "GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
        await().until(() -> hasty.fault("slow-reader") == 1);
        await().until(() -> hasty.metric(UNDER_WAY) == 0);
    }

    /** Bodies beyond the limit of kept bytes pass through correctly. */
    @Test
    void allBodiesTogetherAreBounded() throws Exception {
        RawServer server = RawServer.start(
                (request, peer) -> peer.send(RawServer.ok("" + request.body().length())));
        GatewayUnderTest gateway = before(server, "3m", "limit: {enabled: false}");
        String half = "b".repeat(1 << 19);
        String head = "GET /body HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1048576" + "\r\n\r\n";
        List<Wire> wires = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            wires.add(open(gateway, head + half));
        }
        await().until(() -> gateway.fault("no-room") == 17);
        assertThat(gateway.metric(BUFFERED)).isEqualTo(3 << 20);
        for (Wire wire : wires) {
            wire.send(half);
        }
        for (Wire wire : wires) {
            assertThat(wire.readToEnd()).endsWith("\r\n\r\n1048576");
        }
        await().until(() -> gateway.metric(BUFFERED) == 0);
    }

    @Test
    void brokenConnectionsAreClosedBehind() throws Exception {
        String large = "z".repeat(8 << 20);
        RawServer server = RawServer.start((request, peer) -> {
            if (request.target().equals("/large")) {
                peer.send(RawServer.ok(large));
            } else if (request.target().equals("/half")) {
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
            }
        });
        GatewayUnderTest gateway = before(
                server,
                "64m",
                "limit: {enabled: false}",
                "timeouts: {response: 1h, idle: 1h}",
                "clients: {head: 1h, body: 1h}");
        List<String> begun = List.of(
                "GET /ha",
                "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /half HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /large HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\nx",
                "POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\nx",
                CHUNKED + "1\r\nx\r\n",
                CHUNKED + "100000\r\n" + "x".repeat(1 << 20),
                CHUNKED + "1\r\nx\r\n0\r\n\r\n");
        for (int i = 0; i < 300; i++) {
            Wire wire = gateway.connect();
            wire.send(begun.get(i % begun.size()));
            if (i % 2 == 0) {
                wire.reset();
            } else {
                wire.close();
            }
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> gateway.metric(UNDER_WAY) == 0);
        await().untilAsserted(() -> assertThat(server.open.get()).isZero());
        assertThat(gateway.metric(BUFFERED)).isZero();
        assertThat(gateway.metric(CONNECTIONS)).isZero();
    }

    /** The body has one chunk per byte, and reaches the server in few chunks. */
    @Test
    void aBodyInChunksOfOneByteIsPutTogether() throws Exception {
        RawServer server = RawServer.start(RawServer.echo());
        GatewayUnderTest gateway = before(server, "64m");
        Wire wire = open(
                gateway,
                CHUNKED.replace("Host", "Connection: close\r\nHost") + "1\r\nx\r\n".repeat(300_000) + "0\r\n\r\n");
        assertThat(wire.readToEnd()).startsWith("HTTP/1.1 200 ");
        assertThat(server.requests.get(0).body()).isEqualTo("x".repeat(300_000));
        assertThat(server.chunks.get()).isLessThan(10_000);
    }

    /** Connections above the limit are closed at once, whatever bytes they sent. Other connections are not affected. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /over HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /over HTTP/1.1\r\nHost: a",
                CHUNKED + "1\r\nx\r\n"
            })
    void connectionsAreBounded(String said) throws Exception {
        RawServer server = RawServer.start(RawServer.echo());
        GatewayUnderTest gateway = before(server, "64m", "clients: {connections: 3, head: 1h}");
        List<Wire> inside = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            inside.add(open(gateway, "GET /in HTTP/1.1\r\nHost: a\r\n\r\n"));
        }
        await().until(() -> server.requests.size() == 3);

        for (int i = 0; i < 50; i++) {
            assertThat(open(gateway, said).readUntilClosed()).isEmpty();
        }

        assertThat(gateway.metric(REFUSED)).isEqualTo(50);
        assertThat(gateway.metric(CONNECTIONS)).isEqualTo(3);
        assertThat(server.requests)
                .as("the gateway forwarded no rejected request")
                .hasSize(3);
        for (Wire wire : inside) {
            assertThat(wire.readAll()).endsWith("/in");
            wire.send("GET /again HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(wire.readAll()).endsWith("/again");
        }
        inside.get(0).close();
        await("a place is free").until(() -> gateway.metric(CONNECTIONS) == 2);
        assertThat(gateway.get("/next")).isEqualTo("200 /next");
    }

    /** All clients share the port of health and metrics. */
    @Test
    void hostileClientsOfTheAdministrationTakeNobodysTurn() throws Exception {
        GatewayUnderTest gateway = before(RawServer.start(RawServer.echo()), "64m");
        HostileClients.attack(gateway.adminPort(), "/readyz");
        assertThat(gateway.metric("kipimo_gateway_admin_connections_refused_total"))
                .isPositive();
    }

    @Test
    void requestsThatWaitForNoAnswerAreBounded() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        GatewayUnderTest gateway = before(RawServer.start((request, peer) -> never.await()), "64m");
        Wire wire = open(gateway, "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(10_000));
        assertThat(wire.readBriefly()).isEmpty();
        await().until(() -> gateway.fault("pipelined") == 1);
        await().until(() -> gateway.metric(UNDER_WAY) == 0);
    }
}
