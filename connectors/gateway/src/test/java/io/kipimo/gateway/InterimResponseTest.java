package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a server sends, no caller gets the response to another caller's request. */
class InterimResponseTest extends StartedParts {
    private GatewayUnderTest before(RawServer server, String... more) throws Exception {
        keep(server);
        return keep(GatewayUnderTest.start(server.port(), "64m", more));
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 102, 103, 104, 105, 110, 150, 198, 199})
    void anInterimResponseIsReadOverHoweverLongTheFinalOneTakes(int code) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        RawServer server = RawServer.start((request, peer) -> {
            peer.send("HTTP/1.1 " + code + " Wait\r\nLink: x\r\n\r\n");
            peer.send("HTTP/1.1 " + code + " Wait\r\n\r\n");
            if (request.target().equals("/first")) {
                release.await();
            }
            peer.send(RawServer.ok(request.target()));
        });
        GatewayUnderTest gateway = before(server);

        CompletableFuture<String> first = ask(gateway, "/first");
        await().until(() -> server.requests.size() == 1);
        await("both are read").until(() -> gateway.fault("response-interim") == 2);
        assertThat(gateway.get("/second")).isEqualTo("200 /second");
        release.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("200 /first");
        assertThat(gateway.get("/third")).isEqualTo("200 /third");
    }

    /** A bar stands for CR LF, which makes the lines easier to read. */
    private static String crlf(String text) {
        return text.replace("|", "\r\n");
    }

    private static CompletableFuture<String> ask(GatewayUnderTest gateway, String target) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return gateway.get(target);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void anInterimResponseBeforeTheOneToAHeadIsReadOverToo() throws Exception {
        RawServer server = RawServer.start(
                (request, peer) -> peer.send(crlf("HTTP/1.1 103 Hints||HTTP/1.1 200 OK|Content-Length: 7||")));
        GatewayUnderTest gateway = before(server);
        assertThat(gateway.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .containsIgnoringCase("\r\ncontent-length: 7\r\n")
                .endsWith("\r\n\r\n");
    }

    /**
     * Servers that send too much, or malformed responses. The second request is another caller's. It must never receive
     * a byte of the first response, and needs no retry.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // More bytes than declared; a second response.
                "HTTP/1.1 200 OK|Content-Length: 2||abEXTRA",
                "HTTP/1.1 200 OK|Content-Length: 2||ab" + "HTTP/1.1 200 OK|Content-Length: 4||EVIL",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ab|0||" + "HTTP/1.1 200 OK|Content-Length: 4||EVIL",
                // Bodies where none is allowed.
                "HTTP/1.1 204 No Content|Content-Length: 4||EVIL",
                "HTTP/1.1 204 No Content||EVIL",
                "HTTP/1.1 204 No Content|Transfer-Encoding: chunked||4|EVIL|0||",
                "HTTP/1.1 304 Not Modified|Content-Length: 4||EVIL",
                "HTTP/1.1 304 Not Modified||HTTP/1.1 200 OK|Content-Length: 4||EVIL",
                "HTTP/1.1 304 Not Modified|Transfer-Encoding: chunked||4|EVIL|0||",
                "HTTP/1.1 205 Reset|Content-Length: 0||EVIL",
                "HTTP/1.1 200 OK|Content-Length: 0|||",
                // Responses that end their connection.
                "HTTP/1.1 200 OK|Content-Length: 2|Connection: close, x||ab",
                "HTTP/1.0 200 OK|Content-Length: 2||ab"
            })
    void aConnectionWithMoreToReadIsNotUsedAgain(String bytes) throws Exception {
        RawServer server = RawServer.start(firstThenEcho(crlf(bytes)));
        GatewayUnderTest gateway = before(server, "arbitration: {retries: 0}");
        assertThat(gateway.get("/first")).matches("20[045] (ab|2\\r\\nab\\r\\n0\\r\\n\\r\\n)?|304 ");
        for (int i = 0; i < 3; i++) {
            assertThat(gateway.get("/" + i)).isEqualTo("200 /" + i);
        }
        assertThat(server.requests.get(0).connection())
                .isNotEqualTo(server.requests.get(1).connection());
    }

    private static RawServer.Answers firstThenEcho(String bytes) {
        return (request, peer) -> {
            if (request.target().equals("/first")) {
                peer.send(bytes);
            } else {
                peer.send(RawServer.ok(request.target()));
            }
        };
    }

    /** The body of a response to HEAD, or with status 204, arrives later than its head. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK|Content-Length: 41||",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||",
                "HTTP/1.1 200 OK||",
                "HTTP/1.1 404 No|Content-Length: 0||",
                "HTTP/1.1 204 No Content|Content-Length: 41||",
                "HTTP/1.1 304 Not Modified|Transfer-Encoding: chunked||"
            })
    void aBodyThatComesLateIsNobodys(String head) throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        RawServer server = RawServer.start((request, peer) -> {
            if (request.line().startsWith("HEAD")) {
                peer.send(crlf(head));
                answered.await();
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL");
            } else {
                peer.send(RawServer.ok(request.target()));
            }
        });
        GatewayUnderTest gateway = before(server, "arbitration: {retries: 0}");
        assertThat(gateway.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                .startsWith(head.substring(0, 12));
        assertThat(gateway.get("/second")).isEqualTo("200 /second");
        answered.countDown();
        assertThat(gateway.get("/third")).isEqualTo("200 /third");
        assertThat(server.requests.get(1).connection()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // A switch to another protocol, which was not requested.
                "HTTP/1.1 101 Switching Protocols|Upgrade: websocket|" + "Connection: upgrade||",
                "HTTP/1.1 101 Switching Protocols||HTTP/1.1 200 OK||",
                // Contradictory lengths.
                "HTTP/1.1 200 OK|Content-Length: 4|Transfer-Encoding: chunked||0||",
                "HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 3||abc",
                "HTTP/1.0 200 OK|Content-Length: 2|Content-Length: 3||abc",
                "HTTP/1.1 200 OK|Content-Length: 2, 3||abc",
                "HTTP/1.1 200 OK|Content-Length: +2||ab",
                "HTTP/1.1 200 OK|Content-Length: -2||ab",
                "HTTP/1.1 200 OK|Content-Length: 2x||ab",
                "HTTP/1.0 200 OK|Transfer-Encoding: chunked||0||",
                "HTTP/1.1 200 OK|Transfer-Encoding: gzip, chunked||0||",
                "HTTP/1.1 200 OK|Transfer-Encoding: xchunked||0||",
                // Not responses.
                "HTTP/1.1 99 No||",
                "HTTP/1.1 0 No||",
                "HTTP/1.1 600 No|Content-Length: 0||",
                "HTTP/1.1 1000 No|Content-Length: 0||",
                "HTTP/3.0 200 OK|Content-Length: 0||",
                "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK|X: a\0b|Content-Length: 0||",
                "HTTP/1.1 200 OK|: a|Content-Length: 0||",
                "nothing of the kind||"
            })
    void whatIsNoResponseIsA502AndTheConnectionIsClosed(String bytes) throws Exception {
        RawServer server = RawServer.start(firstThenEcho(crlf(bytes)));
        GatewayUnderTest gateway = before(server, "arbitration: {retries: 0}");
        assertThat(gateway.get("/first")).startsWith("502 ");
        assertThat(gateway.get("/second")).isEqualTo("200 /second");
        assertThat(server.requests.get(1).connection()).isEqualTo(2);
    }

    /** A partial answer must not look whole. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 9||half",
                "Transfer-Encoding: chunked||4|half|",
                "Transfer-Encoding: chunked||4|half|100000000||",
                "Transfer-Encoding: chunked||4|half|-1||",
                "Transfer-Encoding: chunked||4|half|0\0||",
                "Transfer-Encoding: chunked||4|half!!0||"
            })
    void aResponseThatBreaksOffIsBrokenOff(String bytes) throws Exception {
        RawServer server = RawServer.start((request, peer) -> {
            peer.send(crlf("HTTP/1.1 200 OK|" + bytes));
            peer.close();
        });
        GatewayUnderTest gateway = before(server, "arbitration: {retries: 0}");
        String got = gateway.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        if (bytes.startsWith("Content-Length")) {
            assertThat(got).doesNotEndWith("nine more");
            assertThat(got.length() - got.indexOf("\r\n\r\n") - 4).isLessThan(9);
        } else {
            assertThat(got).doesNotContain("\r\n0\r\n");
        }
    }

    /** The response arrives before the request is complete, so the connection carries no further request. */
    @Test
    void aConnectionWhoseRequestIsNotWholeIsClosed() throws Exception {
        RawServer server = RawServer.start(new RawServer.Answers() {
            @Override
            public void early(RawServer.Peer peer) throws IOException {
                peer.send("HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n");
            }

            @Override
            public void answer(RawServer.Request request, RawServer.Peer peer) {}
        });
        GatewayUnderTest gateway = before(server);
        try (Wire wire = gateway.connect()) {
            wire.send("POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            assertThat(wire.readAll()).startsWith("HTTP/1.1 413 ");
            await("the server's connection is closed").until(() -> server.open.get() == 0);
            // The caller may nevertheless complete its request and continue.
            wire.send("3\r\ndef\r\n0\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(wire.readAll()).startsWith("HTTP/1.1 413 ");
        }
        assertThat(server.requests).hasSize(2);
        assertThat(server.requests.get(0).isWhole()).isFalse();
        assertThat(server.requests.get(0).body()).doesNotContain("def");
        assertThat(server.requests.get(1).connection()).isEqualTo(2);
    }

    @Test
    void aServersLastWordsOnAnIdleConnectionAreNobodys() throws Exception {
        List<RawServer.Peer> peers = new CopyOnWriteArrayList<>();
        RawServer server = RawServer.start((request, peer) -> {
            peers.add(peer);
            peer.send(RawServer.ok(request.target()));
        });
        GatewayUnderTest gateway = before(server, "arbitration: {retries: 0}");
        // The gateway may close a connection rather than use it again; then the next one serves.
        await().ignoreExceptionsInstanceOf(SocketException.class).until(() -> {
            assertThat(gateway.get("/first")).isEqualTo("200 /first");
            peers.get(peers.size() - 1).send("HTTP/1.1 408 Timeout\r\nContent-Length: 4\r\n\r\nEVIL");
            return true;
        });
        // They may arrive before the gateway has handled the end of the response. A connection that
        // was closed at the first try counts, too.
        await().until(() -> gateway.fault("response-unasked") + gateway.fault("connection-not-reused") >= 1);
        assertThat(gateway.get("/second")).isEqualTo("200 /second");
    }

    @Test
    void goodConnectionsAreUsedAgain() throws Exception {
        RawServer server = RawServer.start((request, peer) -> peer.send(
                switch (request.target()) {
                    case "/204" -> "HTTP/1.1 204 No Content\r\n\r\n";
                    case "/304" -> "HTTP/1.1 304 Not Modified\r\n\r\n";
                    case "/chunks" ->
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked" + "\r\n\r\n2\r\nab\r\n0\r\nX: y\r\n\r\n";
                    default -> RawServer.ok(request.target());
                }));
        GatewayUnderTest gateway = before(server);
        for (String target : List.of("/a", "/204", "/304", "/chunks", "/b", "/204", "/c")) {
            gateway.get(target);
        }
        assertThat(server.connections).hasValue(1);
        assertThat(gateway.fault("connection-not-reused")).isZero();
    }
}
