package io.kipimo.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageServerTest {
    private static final String HOST = "127.0.0.1";
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final CountDownLatch release = new CountDownLatch(1);
    private PageServer server;

    private void start(Limits limits) throws Exception {
        server = new PageServer(limits)
                .page("/page", request -> Reply.of("text/plain", "page"))
                .page("/large", request -> Reply.of("text/plain", "x".repeat(64 << 20)))
                .page("/fails", request -> {
                    throw new IllegalStateException("for the test");
                })
                .page("/blocks", request -> {
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Reply.of("text/plain", "late");
                })
                .listen(HOST, 0);
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.close();
    }

    private Socket open(String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return socket;
    }

    private static String readToEnd(Socket socket) throws IOException {
        try (socket) {
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private String answer(String line) throws IOException {
        return readToEnd(open(line + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET /page, 200, page",
        "HEAD /page, 200, ''",
        "GET /healthz, 200, 'ok\n'",
        "GET /page?x=1, 200, page",
        "GET /other, 404, ''",
        "POST /page, 405, ''",
        "GET /fails, 500, ''",
    })
    void aPageAnswers(String line, int status, String body) throws Exception {
        start(Limits.DEFAULT);
        assertThat(answer(line)).startsWith("HTTP/1.1 " + status + ' ').endsWith("\r\n\r\n" + body);
    }

    @ParameterizedTest
    @CsvSource({
        "GET /page HTTP/1.1, 400",
        "GET /page HTTP/3.0|Host: a, 505",
        "GET /page HTTP/1.1|Host: a|Host: b, 400",
    })
    void aBadHeadIsRefused(String head, int status) throws Exception {
        start(Limits.DEFAULT);
        String answer = readToEnd(open(head.replace("|", "\r\n") + "\r\n\r\n"));
        assertThat(answer).startsWith("HTTP/1.1 " + status + ' ');
    }

    @Test
    void aLongHeadIsRefused() throws Exception {
        start(Limits.DEFAULT);
        assertThat(readToEnd(open("GET /" + "a".repeat(8 << 10)))).startsWith("HTTP/1.1 414 ");
        assertThat(readToEnd(open("GET / HTTP/1.1\r\nX: " + "a".repeat(9 << 10))))
                .startsWith("HTTP/1.1 431 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "G",
                "GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: ",
                "POST /page HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx",
                "POST /page HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nx",
                "GET /blocks HTTP/1.1\r\nHost: a\r\n\r\n"
            })
    void aConnectionHasADeadlineForHeadBodyAndAnswer(String begun) throws Exception {
        start(new Limits(512, 0, 64L << 20, SHORT, LONG, SHORT));
        assertThat(readToEnd(open(begun))).doesNotContain("HTTP/1.1 200");
        await().until(() -> server.connections().size() == 0);
    }

    @Test
    void aClientThatDoesNotReadIsClosed() throws Exception {
        start(new Limits(512, 0, 64L << 20, LONG, SHORT, LONG));
        try (Socket socket = open("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")) {
            await().until(() -> server.connections().size() == 1);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> server.connections().size() == 0);
        }
    }

    @Test
    void aNewConnectionReplacesAnIdleOne() throws Exception {
        start(new Limits(3, 0, 64L << 20, LONG, LONG, LONG));
        try (Socket first = open("");
                Socket second = open("");
                Socket third = open("")) {
            await().until(() -> server.connections().size() == 3);
            assertThat(answer("GET /page")).endsWith("page");
            assertThat(server.connections().replaced()).isEqualTo(1);
            assertThat(first.getInputStream().read()).isEqualTo(-1);
            assertThat(second.isConnected() && third.isConnected()).isTrue();
        }
    }

    /** Every worker waits in a page, such as one whose store does not answer. */
    @Test
    void healthDoesNotWaitForPages() throws Exception {
        start(Limits.DEFAULT);
        Socket[] waiting = new Socket[50];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = open("GET /blocks HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        }
        assertThat(answer("GET /healthz")).endsWith("ok\n");
        release.countDown();
        for (Socket socket : waiting) {
            assertThat(readToEnd(socket)).endsWith("late");
        }
    }

    @Test
    void hostileClientsTakeNobodysTurn() throws Exception {
        server = PageServer.ofMetrics(HOST, 0, () -> "a 1\n");
        HostileClients.attack(server.port(), "/metrics");
    }
}
