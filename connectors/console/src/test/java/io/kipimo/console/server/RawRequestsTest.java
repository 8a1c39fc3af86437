package io.kipimo.console.server;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.http.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed and hostile requests, byte by byte. */
class RawRequestsTest {
    private static final String TOKEN = "sample-token-0000";
    private static final String HOST = "Host: localhost\r\n";
    private static final String OVERRIDE = "/api/services/search/classes/low/override";
    private static final String WISH = "{\"fraction\":0.5,\"forMillis\":1800000,\"by\":\"ann\",\"reason\":\"sale\"}";

    private static final Duration LONG = Duration.ofMinutes(5);

    /** Limits that no exchange reaches within a test. */
    private static final Limits PATIENT = new Limits(512, 256, 64L << 20, LONG, LONG, LONG);

    private final SampleContent content = new SampleContent(3);
    private final SampleWrites writes = new SampleWrites();
    private final List<Socket> sockets = new ArrayList<>();
    private ConsoleServer server;

    @BeforeEach
    void start() throws Exception {
        start(PATIENT);
    }

    private void start(Limits limits) throws Exception {
        start(limits, new ServerSettings(ServerSettings.LOOPBACK, 0, Optional.of(TOKEN)), content);
    }

    private void start(Limits limits, ServerSettings settings, Content shown) throws Exception {
        if (server != null) {
            server.close();
        }
        server = ConsoleServer.start(settings, shown, writes, new SampleGates(), limits);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET ?a HTTP/1.1",
                "GET foo HTTP/1.1",
                "GET * HTTP/1.1",
                "OPTIONS * HTTP/1.1",
                "CONNECT localhost:80 HTTP/1.1",
                "GET /?token=%zz HTTP/1.1",
                "GET /?token=% HTTP/1.1",
                "GET /api/events?service=%zz HTTP/1.1",
                "GET /?token=a&token=sample-token-0000 HTTP/1.1",
                "GET /api/services/%ff HTTP/1.1",
                "GET /api/services/a%00b HTTP/1.1",
                "GET /\u0001 HTTP/1.1",
                "GET /\u007f HTTP/1.1",
                "GET /\u00e9 HTTP/1.1",
                "GET /#x HTTP/1.1",
                "GET ftp://localhost/ HTTP/1.1",
                "GET http:///api/summary HTTP/1.1",
                "GET http://localhost@evil.example/api/summary HTTP/1.1",
                "GET http://evil.example/api/summary HTTP/1.1",
                "GET",
                "GET /",
                "GET / HTTP/1.1 x",
                "GET / HTP/1.1",
                "GET / HTTP/11",
                "G@T / HTTP/1.1",
                "\u0000",
                "\u0016\u0003\u0001\u0002"
            })
    void aLineThatIsNoRequestIsRefusedAndTheConnectionClosed(String line) throws Exception {
        String answer = exchange(line + "\r\n" + HOST + "\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400 ").contains("Content-Security-Policy");
        assertThat(answer.lines().reduce((a, b) -> b).orElseThrow()).startsWith("{\"error\":\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host: \n",
                "Host: localhost\nHost: localhost\n",
                "Host: localhost\nHost: evil.example\n",
                "Host: evil.example\nHost: localhost\n",
                "Host: localhost:99999\n",
                "Host: localhost:1:2\n",
                "Host : localhost\n",
                ": x\nHost: localhost\n",
                "Host: localhost\nAuthorization: Bearer a\nAuthorization: Bearer b\n",
                "Host: localhost\nX: \u0000\n",
                "Host: localhost\nContent-Length: -1\n",
                "Host: localhost\nContent-Length: 1, 1\n",
                "Host: localhost\nContent-Length: 0\nContent-Length: 1\n",
                "Host: localhost\nTransfer-Encoding: xchunked\n",
                "Host: localhost\nTransfer-Encoding: chunked, gzip\n",
                "Host: localhost\nTransfer-Encoding: identity\n"
            })
    void aHeadThatCanBeReadInTwoWaysIsRefusedAndTheConnectionClosed(String headers) throws Exception {
        assertThat(exchange("GET /api/summary HTTP/1.1\r\n" + headers.replace("\n", "\r\n") + "\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    @ParameterizedTest
    @CsvSource({
        "GET / HTTP/2.0, 505",
        "GET / HTTP/9.9, 505",
        "GET /api/summary HTTP/1.1, 200",
        "GET http://LOCALHOST/api/summary HTTP/1.1, 200",
        "GET /css%2fbase.css HTTP/1.1, 404",
        "GET /css/%2e%2e/index.html HTTP/1.1, 404",
        "GET //api/summary HTTP/1.1, 404",
        "POST /?token=sample-token-0000 HTTP/1.1, 405",
        "DELETE /?token=sample-token-0000 HTTP/1.1, 405",
        "GET /?token= HTTP/1.1, 401",
        "TRACE / HTTP/1.1, 405"
    })
    void eachOfTheseIsAnsweredByItsStatus(String line, int status) throws Exception {
        assertThat(exchange(line + "\r\nConnection: close\r\n" + HOST + "\r\n")).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void anotherHostsNameIsMisdirectedInAnyForm() throws Exception {
        String evil = "Connection: close\r\nHost: evil.example\r\n\r\n";
        assertThat(exchange("GET /api/summary HTTP/1.1\r\n" + evil)).startsWith("HTTP/1.1 421 ");
        assertThat(exchange("GET http://evil.example/api/summary HTTP/1.1\r\n" + evil))
                .startsWith("HTTP/1.1 421 ");
    }

    @Test
    void headsThatAreTooLongAreRefusedInOneLine() throws Exception {
        assertThat(exchange("GET /" + "a".repeat(9_000) + " HTTP/1.1\r\n" + HOST + "\r\n"))
                .startsWith("HTTP/1.1 414 ")
                .endsWith("{\"error\":\"request line is too long\"}");
        assertThat(exchange("GET / HTTP/1.1\r\n" + HOST + "X: " + "a".repeat(9_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ")
                .endsWith("{\"error\":\"headers are too long\"}");
    }

    @Test
    void headOpensNoStreamAndHasNoBody() throws Exception {
        for (String path : new String[] {"/api/events", "/healthz", "/metrics", "/api/state"}) {
            String answer = exchange("HEAD " + path + " HTTP/1.1\r\nConnection: close\r\n" + HOST + "\r\n");
            assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n");
        }
        assertThat(metrics()).contains("kipimo_console_streams 0");
    }

    @Test
    void aPageOfAnotherSiteHoldsNoStream() throws Exception {
        assertThat(exchange("GET /api/events HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\n"
                        + "Connection: close\r\n"
                        + HOST
                        + "\r\n"))
                .startsWith("HTTP/1.1 403 ");
        // A link to the page is allowed.
        assertThat(exchange(
                        "GET / HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\n" + "Connection: close\r\n" + HOST + "\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n", "-1\r\n", "ffffffffffffffff\r\n"})
    void aBodyThatBreaksOffChangesNothing(String chunks) throws Exception {
        assertThat(exchange(post("Transfer-Encoding: chunked\r\n") + chunks)).matches("(?s)(HTTP/1.1 400 .*)?");
        assertThat(writes.taken()).isEmpty();
    }

    @Test
    void aRequestHiddenInABodyIsNotAnswered() throws Exception {
        String hidden = "GET /metrics HTTP/1.1\r\n" + HOST + "\r\n";
        String both = "GET /api/summary HTTP/1.1\r\n"
                + HOST
                + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                + hidden;
        assertThat(exchange(both)).startsWith("HTTP/1.1 400 ").doesNotContain("kipimo_console");
        String inBody = "GET /api/summary HTTP/1.1\r\n"
                + HOST
                + "Connection: close\r\nContent-Length: "
                + hidden.length()
                + "\r\n\r\n"
                + hidden;
        assertThat(exchange(inBody)).startsWith("HTTP/1.1 200 ").doesNotContain("kipimo_console");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"fraction\":0.1,\"fraction\":1,\"forMillis\":5000,\"by\":\"a\",\"reason\":\"r\"}",
                "{\"fraction\":1,\"forMillis\":5000,\"by\":\"a\\ud800\",\"reason\":\"r\"}",
                "{\"fraction\":1,\"forMillis\":5000,\"by\":\"a\\u202eb\",\"reason\":\"r\"}",
                "{\"fraction\":1,\"forMillis\":5000,\"by\":\"a\",\"reason\":\"\u00ff\"}",
                "{\"fraction\":[[[[[[[[[["
            })
    void aBodyThatCanBeReadInTwoWaysChangesNothing(String body) throws Exception {
        // Encoded as ISO 8859-1, so that the byte 255 makes it invalid UTF-8.
        assertThat(exchange(post("Content-Length: " + body.length() + "\r\n") + body))
                .startsWith("HTTP/1.1 400 ");
        byte[] wide = WISH.getBytes(StandardCharsets.UTF_16BE);
        assertThat(exchange(post("Content-Length: " + wide.length + "\r\n")
                        + new String(wide, StandardCharsets.ISO_8859_1)))
                .startsWith("HTTP/1.1 400 ");
        assertThat(writes.taken()).isEmpty();
    }

    @Test
    void anotherTypeOfBodyIsRefused() throws Exception {
        for (String type : new String[] {"application/jsonx", "application/json; charset=utf-16"}) {
            String request = post("Content-Length: " + WISH.length() + "\r\n").replace("application/json", type);
            assertThat(exchange(request + WISH)).startsWith("HTTP/1.1 415 ");
        }
    }

    @Test
    void expectContinueIsAnswered() throws Exception {
        Socket socket = open(post("Content-Length: " + WISH.length() + "\r\nExpect: 100-continue\r\n"));
        assertThat(head(socket)).startsWith("HTTP/1.1 100 ");
        send(socket, WISH);
        assertThat(head(socket)).startsWith("HTTP/1.1 200 ");
        // At most 8 KiB; and the console answers before the body is sent.
        assertThat(head(open(post("Content-Length: 9000\r\nExpect: 100-continue\r\n"))))
                .startsWith("HTTP/1.1 413 ");
    }

    @Test
    void requestsThatWaitBehindAStreamAreNotKept() throws Exception {
        Socket socket = stream("");
        send(socket, "GET / HTTP/1.1\r\n" + HOST + "\r\n");
        awaitEnd(socket);
    }

    @Test
    void slowHeadsAndBodiesAreGivenUp() throws Exception {
        start(new Limits(512, 256, 64L << 20, Duration.ofMillis(50), LONG, LONG));
        awaitEnd(open(""));
        awaitEnd(open("GET / HT"));
        awaitEnd(open(post("Content-Length: 100\r\n") + "{"));
        // After an answer the same time-out holds for the next head.
        Socket kept = open("GET /healthz HTTP/1.1\r\n" + HOST + "\r\n");
        assertThat(head(kept)).startsWith("HTTP/1.1 200 ");
        awaitEnd(kept);
        // A stream has no time-out.
        Socket stream = stream("");
        awaitEnd(open(""));
        content.changed();
        readUntil(stream, "event: summary");
    }

    @Test
    void clientsThatDoNotReadAreDropped() throws Exception {
        SampleContent large = new SampleContent(300);
        start(
                new Limits(512, 256, 64L << 20, LONG, Duration.ofSeconds(1), LONG),
                new ServerSettings(ServerSettings.LOOPBACK, 0, Optional.of(TOKEN)),
                large);
        open("GET /api/state HTTP/1.1\r\n" + HOST + "\r\n");
        open("GET /api/events HTTP/1.1\r\n" + HOST + "\r\n");
        await().atMost(PATIENCE).untilAsserted(() -> {
            large.changed();
            assertThat(metrics()).contains("kipimo_console_streams 0").contains("kipimo_console_connections 1\n");
        });
    }

    @Test
    void answersThatAreNotTakenHaveABound() throws Exception {
        SampleContent large = new SampleContent(300);
        start(
                new Limits(512, 256, 1L << 20, LONG, LONG, LONG),
                new ServerSettings(ServerSettings.LOOPBACK, 0, Optional.of(TOKEN)),
                large);
        for (int i = 0; i < 20; i++) {
            // The answer has begun, and the client does not read the rest.
            head(open("GET /api/state HTTP/1.1\r\n" + HOST + "\r\n"));
        }
        // A single answer may exceed the limit. The second connection is the metrics request
        // itself.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(metrics()).contains("kipimo_console_connections 2\n"));
    }

    @Test
    void manyConnectionsLockNobodyOut() throws Exception {
        start(new Limits(8, 4, 64L << 20, LONG, LONG, LONG));
        Socket person = open(known("GET /metrics HTTP/1.1\r\n"));
        readUntil(person, "kipimo_console_connections 1\n");
        List<Socket> crowd = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            crowd.add(open("GET /"));
        }
        // The newest client gets a connection, and the idle client that showed the token keeps its
        // own.
        assertThat(metrics()).contains("kipimo_console_connections 8\n");
        awaitEnd(crowd.get(0));
        send(person, known("GET /metrics HTTP/1.1\r\n"));
        readUntil(person, "kipimo_console_connections");
    }

    @Test
    void manyStreamsLockNobodyOut() throws Exception {
        start(new Limits(512, 4, 64L << 20, LONG, LONG, LONG));
        Socket person = stream("Authorization: Bearer " + TOKEN + "\r\n");
        List<Socket> crowd = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            crowd.add(stream(""));
        }
        awaitEnd(crowd.get(0));
        content.changed();
        readUntil(person, "event: summary");
        readUntil(crowd.get(19), "event: summary");
        assertThat(metrics()).contains("kipimo_console_streams 4\n");
        // Clients that showed the token are replaced only by each other.
        for (int i = 0; i < 4; i++) {
            stream("Authorization: Bearer " + TOKEN + "\r\n");
        }
        assertThat(head(open("GET /api/events HTTP/1.1\r\n" + HOST + "\r\n"))).startsWith("HTTP/1.1 503 ");
        stream("Authorization: Bearer " + TOKEN + "\r\n");
    }

    @Test
    void behindTlsTheCookieIsSecureAndLookingTakesTheToken() throws Exception {
        start(
                PATIENT,
                new ServerSettings(
                        ServerSettings.LOOPBACK,
                        0,
                        Optional.of(TOKEN),
                        Optional.of(URI.create("https://kipimo.example"))),
                content);
        String end = " HTTP/1.1\r\nHost: kipimo.example\r\nConnection: close\r\n";
        assertThat(exchange("GET /api/summary" + end + "\r\n")).startsWith("HTTP/1.1 401 ");
        String entry = exchange("GET /?token=" + TOKEN + end + "\r\n");
        assertThat(entry).startsWith("HTTP/1.1 303 ").contains("; Secure");
        String cookie = entry.replaceFirst("(?s).*[Ss]et-[Cc]ookie: ([^;]*);.*", "$1");
        assertThat(exchange("GET /api/summary" + end + "Cookie: " + cookie + "\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
        // Another service of the host has set a cookie of the same name; the console still finds
        // its own.
        assertThat(exchange("GET /api/summary" + end + "Cookie: kipimo_console=x; " + cookie + "\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
        String wish = post("Origin: https://kipimo.example\r\nContent-Length: " + WISH.length() + "\r\n");
        assertThat(exchange(wish + WISH)).startsWith("HTTP/1.1 200 ");
        assertThat(exchange(wish.replace("https://", "https://x.") + WISH)).startsWith("HTTP/1.1 403 ");
    }

    @Test
    void clientsThatShowedTheTokenKeepTheirStatus() throws Exception {
        assertThat(exchange(post("Content-Length: " + WISH.length() + "\r\n") + WISH))
                .containsIgnoringCase("set-cookie: kipimo_console=");
    }

    private static String post(String more) {
        return "POST "
                + OVERRIDE
                + " HTTP/1.1\r\n"
                + HOST
                + "Connection: close\r\nAuthorization: bearer "
                + TOKEN
                + "\r\nContent-Type: application/json\r\n"
                + more
                + "\r\n";
    }

    private static String known(String line) {
        return line + HOST + "Authorization: Bearer " + TOKEN + "\r\n\r\n";
    }

    private Socket stream(String headers) throws IOException {
        Socket socket = open("GET /api/events HTTP/1.1\r\n" + HOST + headers + "\r\n");
        assertThat(head(socket)).startsWith("HTTP/1.1 200 ");
        return socket;
    }

    private String metrics() throws IOException {
        return exchange("GET /metrics HTTP/1.1\r\nConnection: close\r\n" + HOST + "\r\n");
    }

    private Socket open(String bytes) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        // A small buffer, so that unread bytes stay in the console.
        socket.setReceiveBufferSize(4 * 1024);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        send(socket, bytes);
        return socket;
    }

    private static void send(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Reads until the console closes the connection. */
    private String exchange(String bytes) throws IOException {
        try (Socket socket = open(bytes)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Reads up to and including an empty line. */
    private static String head(Socket socket) throws IOException {
        return readUntil(socket, "\r\n\r\n");
    }

    private static String readUntil(Socket socket, String end) throws IOException {
        StringBuilder read = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (read.indexOf(end) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the connection ended after: " + read);
            }
            read.append((char) next);
        }
        return read.toString();
    }

    /** Blocks until the console has closed the connection. */
    private static void awaitEnd(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }
}
