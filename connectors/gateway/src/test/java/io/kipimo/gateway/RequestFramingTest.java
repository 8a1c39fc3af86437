package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.Effort;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server receives the caller's request unchanged and whole, or nothing that looks like a request. A bar stands for CR
 * LF.
 */
class RequestFramingTest {
    private static final String POST = "POST /x HTTP/1.1|Host: a|Transfer-Encoding: chunked||";
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1|Host: a||";

    private RawServer server;
    private GatewayUnderTest gateway;

    @BeforeEach
    void start() throws Exception {
        server = RawServer.start(RawServer.echo());
        gateway = GatewayUnderTest.start(server.port(), "64m", "limit: {enabled: false}");
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        server.close();
    }

    private static String crlf(String text) {
        return text.replace("|", "\r\n");
    }

    /** Sends all bytes at once or one by one, and reads until the gateway closes. */
    private String send(byte[] bytes, boolean eachByItself) throws Exception {
        try (Wire wire = gateway.connect()) {
            if (eachByItself) {
                for (byte one : bytes) {
                    wire.send(new byte[] {one});
                }
            } else {
                wire.send(bytes);
            }
            return wire.readToEnd();
        }
    }

    private String send(String text, boolean eachByItself) throws Exception {
        return send(crlf(text).getBytes(StandardCharsets.ISO_8859_1), eachByItself);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x||",
                "|",
                "||",
                "-1||",
                "+1|a|",
                "0x1|a|",
                " 1|a|",
                "1 |a|",
                "1 ;x=y|a|",
                "1\0|a|",
                "1\t|a|",
                "1\u0001;x|a|",
                "1;x=\0|a|",
                "1;x=\u007f|a|",
                "1,1|a|",
                "1\n1|a|",
                "1\r|a|",
                // Sizes that overflow 31, 32, 33, 64 and more bits; one would become 0, one 1.
                "80000000|a|",
                "ffffffff|a|",
                "100000000|0||",
                "100000001|a|",
                "10000000000000001|a|",
                "000000001|a|",
                "1111111111111111111111111|a|",
                // The number of bytes differs from the size.
                "1|ab|",
                "1|a0||",
                "2|a|0||",
                "1|a\n0||",
                "1|a\r0||",
                // Malformed trailers.
                "0|x|",
                "0|: y||",
                "0|X : y||",
                "0|X: \0||",
                "0|X: y\n||",
                "0| X: y||",
                "0|Content-Length: 1|Content-Length: 2||",
                "0\n\n"
            })
    void aBodyThatBreaksOffIsNeverEndedByTheGateway(String broken) throws Exception {
        for (boolean eachByItself : new boolean[] {false, true}) {
            int before = server.requests.size();
            String got = send(POST + "4|good|" + broken + SMUGGLED, eachByItself);

            assertThat(got).as(broken).startsWith("HTTP/1.1 400 ").doesNotContain("smuggled");
            await().until(() -> server.open.get() == 0);
            assertThat(server.requests.subList(before, server.requests.size()))
                    .as(broken)
                    .noneMatch(RawServer.Request::isWhole);
        }
        assertThat(gateway.fault("request-body")).isEqualTo(2);
        assertThat(gateway.get("/alive")).isEqualTo("200 /alive");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                POST + "4|good|",
                POST + "4|good",
                POST + "9|good",
                POST + "4|good|0|",
                "POST /x HTTP/1.1|Host: a|Content-Length: 9000000||good",
                "PUT /x HTTP/1.1|Host: a|Content-Length: 90000000||good"
            })
    void aBodyThatItsCallerLeavesIsNeverEndedByTheGateway(String half) throws Exception {
        for (boolean withReset : new boolean[] {false, true}) {
            int heads = server.heads.get();
            Wire wire = gateway.connect();
            wire.send(crlf(half));
            await("the request reached the server").until(() -> server.heads.get() == heads + 1);
            if (withReset) {
                wire.reset();
            } else {
                wire.close();
            }
            await().until(() -> server.open.get() == 0);
            assertThat(server.whole()).isEmpty();
        }
        assertThat(gateway.get("/alive")).isEqualTo("200 /alive");
    }

    @Test
    void noServerIsAskedBeforeASmallBodyIsThere() throws Exception {
        for (String method : List.of("GET", "POST", "DELETE")) {
            try (Wire wire = gateway.connect()) {
                wire.send(crlf(method + " /x HTTP/1.1|Host: a|Content-Length: 4||goo"));
                assertThat(wire.readBriefly()).isEmpty();
                assertThat(server.connections).hasValue(0);
            }
        }
        assertThat(send("POST /x HTTP/1.1|Host: a|Connection: close|Content-Length: 4||good", true))
                .endsWith("\r\n\r\n/x");
        assertThat(server.requests.get(0).body()).isEqualTo("good");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Two lengths, and malformed lengths.
                "POST / HTTP/1.1|Host: a|Content-Length: 5|Transfer-Encoding: chunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked|Content-Length: 5||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked|content-length:||0||",
                "POST / HTTP/1.1|Host: a|Content-Length: 0|Content-Length: 0||",
                "POST / HTTP/1.1|Host: a|Content-Length: 0|CONTENT-LENGTH: 5||",
                "POST / HTTP/1.0|Host: a|Content-Length: 0|Content-Length: 5||",
                "POST / HTTP/1.1|Host: a|Content-Length: 0, 0||",
                "POST / HTTP/1.1|Host: a|Content-Length: +0||",
                "POST / HTTP/1.1|Host: a|Content-Length: -0||",
                "POST / HTTP/1.1|Host: a|Content-Length: 0x0||",
                "POST / HTTP/1.1|Host: a|Content-Length:||",
                "POST / HTTP/1.1|Host: a|Content-Length: 99999999999999999999||",
                "POST / HTTP/1.1|Host: a|Content-Length: 18446744073709551616||",
                // Encodings that some servers treat as chunked.
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: xchunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: identity||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked, chunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: gzip, chunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked, identity||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked|Transfer-Encoding: chunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: \"chunked\"||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: \u000bchunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding:||0||",
                "POST / HTTP/1.0|Host: a|Transfer-Encoding: chunked||0||",
                // White space in forbidden places; lines that are folded or end differently.
                "POST / HTTP/1.1|Host: a|Transfer-Encoding : chunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding\t: chunked||0||",
                "POST / HTTP/1.1|Host: a| Transfer-Encoding: chunked||0||",
                "POST / HTTP/1.1|Host: a|X: y| Transfer-Encoding: chunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding:| chunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding:|\tchunked||0||",
                "POST / HTTP/1.1| Host: a||",
                "GET / HTTP/1.1\nHost: a\n\n",
                "GET / HTTP/1.1|Host: a\n|",
                "GET / HTTP/1.1|Host: a|X: y\n\r\n",
                "GET / HTTP/1.1|Host: a|X: y\rZ: w||",
                "GET / HTTP/1.1\r\r\nHost: a||",
                "GET / HTTP/1.1|Host: a|X: y\r||",
                " GET / HTTP/1.1|Host: a||",
                "\0GET / HTTP/1.1|Host: a||",
                "\n\nGET / HTTP/1.1|Host: a||",
                "GET  / HTTP/1.1|Host: a||",
                "GET /  HTTP/1.1|Host: a||",
                "GET / HTTP/1.1 |Host: a||",
                "GET\t/ HTTP/1.1|Host: a||",
                "GET /\u000bHTTP/1.1|Host: a||",
                "GET / x HTTP/1.1|Host: a||",
                // Versions.
                "GET /|",
                "GET /||",
                "GET / HTTP/0.9|Host: a||",
                "GET / HTTP/1.2|Host: a||",
                "GET / HTTP/2.0|Host: a||",
                "GET / HTTP/1.1.1|Host: a||",
                "GET / http/1.1|Host: a||",
                "GET / XHTTP/1.1|Host: a||",
                "PRI * HTTP/2.0||SM||",
                // Names and hosts.
                "GET / HTTP/1.1|Host: a|: y||",
                "GET / HTTP/1.1|Host: a|no colon||",
                "GET / HTTP/1.1|Host: a|X(y): z||",
                "GET / HTTP/1.1||",
                "GET / HTTP/1.1|Host: a|Host: a||",
                "GET / HTTP/1.1|Host: a|Host: b||",
                "GET / HTTP/1.1|Host: a b||",
                "GET / HTTP/1.1|Host: a/b||",
                "GET / HTTP/1.1|Host: a@b||",
                "GET / HTTP/1.1|Host: a:b||",
                // Targets and methods.
                "GET http://b/ HTTP/1.1|Host: a||",
                "GET http://a@b/ HTTP/1.1|Host: b||",
                "GET http:///x HTTP/1.1|Host: a||",
                "GET ftp://a/ HTTP/1.1|Host: a||",
                "GET a HTTP/1.1|Host: a||",
                "GET * HTTP/1.1|Host: a||",
                "GET /#x HTTP/1.1|Host: a||",
                "CONNECT a:1 HTTP/1.1|Host: a:1||",
                "TRACE / HTTP/1.1|Host: a||",
                "G(T / HTTP/1.1|Host: a||"
            })
    void whatCouldBeReadInTwoWaysIsRefusedAndNothingBehindItIsHeard(String head) throws Exception {
        for (boolean eachByItself : new boolean[] {false, true}) {
            String got = send(head + SMUGGLED, eachByItself);
            assertThat(got).as(head).matches("(?s)HTTP/1\\.[01] (400|405|501) .*");
            assertThat(got.split("HTTP/1\\.[01] ", -1)).as("one answer").hasSize(2);
        }
        assertThat(server.requests).isEmpty();
        assertThat(server.nonsense).isEmpty();
        assertThat(gateway.count("refused")).isEqualTo(2);
        assertThat(gateway.get("/alive")).isEqualTo("200 /alive");
    }

    @Test
    void oneOddByteIsRefusedOrGoesThroughAsItIs() throws Exception {
        eachByte("G_T / HTTP/1.1|Host: a|Connection: close||", RequestFramingTest::isToken);
        // '#' starts a fragment, which must not be sent.
        eachByte("GET /_ HTTP/1.1|Host: a|Connection: close||", b -> b > 32 && b < 127 && b != '#');
        eachByte("GET / HTTP/1.1|Host: a|X_Y: z|Connection: close||", b -> isToken(b) || b == ':');
        eachByte("GET / HTTP/1.1|Host: a|X: y_z|Connection: close||", b -> b == '\t' || (b >= 32 && b != 127));
        eachByte("GET / HTTP/1.1|Host: a_b|Connection: close||", RequestFramingTest::isHost);
    }

    private static boolean isToken(int b) {
        return isAsciiLetterOrDigit(b) || "!#$%&'*+-.^_`|~".indexOf(b) >= 0;
    }

    private static boolean isHost(int b) {
        // A colon would start a port.
        return isAsciiLetterOrDigit(b) || "._~!$&'()*+,;=%-".indexOf(b) >= 0;
    }

    private static boolean isAsciiLetterOrDigit(int b) {
        return b < 127 && Character.isLetterOrDigit(b);
    }

    /** Letters and digits are alike, and so are bytes that are no ASCII. */
    private static boolean isTried(int b) {
        return !(isAsciiLetterOrDigit(b) || b > 127) || b % Effort.of(9, 1) == 0;
    }

    private void eachByte(String form, IntPredicate isAllowed) throws Exception {
        String text = crlf(form);
        for (int b : IntStream.range(0, 256).filter(RequestFramingTest::isTried).toArray()) {
            server.requests.clear();
            String sent = text.replace("_", String.valueOf((char) b));
            String got = send(sent.getBytes(StandardCharsets.ISO_8859_1), false);
            String what = "byte " + b + " in " + form;
            if (isAllowed.test(b)) {
                assertThat(got).as(what).startsWith("HTTP/1.1 200 ");
                assertThat(server.requests).as(what).hasSize(1);
                RawServer.Request came = server.requests.get(0);
                String line = form.replaceAll(".*?([^|]*_[^|]*).*", "$1").replace("_", String.valueOf((char) b));
                assertThat((came.line() + '\n' + came.head()).replace(" ", ""))
                        .as(what)
                        .contains(line.replace(" ", ""));
            } else {
                assertThat(got).as(what).matches("(?s)HTTP/1\\.[01] 400 .*");
                assertThat(server.requests).as(what).isEmpty();
            }
            assertThat(server.nonsense).as(what).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4|good|0||",
                "2|go|2|od|0||",
                "004|good|00||",
                "4;signature=abc;x=\"y\"|good|0;z||",
                "4|good|0|X: y|Z: w||",
                "1|g|1|o|1|o|1|d|0||"
            })
    void wellFormedChunksGoThroughAndTheConnectionGoesOn(String chunks) throws Exception {
        for (boolean eachByItself : new boolean[] {false, true}) {
            server.requests.clear();
            String got = send("||" + POST + chunks + "GET /next HTTP/1.1|Host: a|Connection: close||", eachByItself);
            assertThat(got).contains("\r\n\r\n/xHTTP/1.1 200 ").endsWith("\r\n\r\n/next");
            assertThat(server.requests).hasSize(2).allMatch(RawServer.Request::isWhole);
            assertThat(server.requests.get(0).body()).isEqualTo("good");
        }
    }

    @Test
    void anAbsoluteTargetOfTheSameHostAndUpperHexAreFine() throws Exception {
        assertThat(send("GET http://A:1/x?y HTTP/1.1|Host: a:1|Connection: close||", false))
                .endsWith("\r\n\r\n/x?y");
        assertThat(send(
                        "POST / HTTP/1.1|Host: a|Connection: close|Transfer-Encoding: Chunked||" + "A|0123456789|0||",
                        false))
                .startsWith("HTTP/1.1 200 ");
        assertThat(server.requests.get(1).body()).isEqualTo("0123456789");
    }

    @Test
    void aLineMayHave64KilobytesUnlessTheListenerHasAnotherLimit() throws Exception {
        String target = "/" + "y".repeat(65_000);
        assertThat(send("GET " + target + " HTTP/1.1|Host: a|Connection: close||", false))
                .endsWith("\r\n\r\n" + target);
        try (GatewayUnderTest other = GatewayUnderTest.start(server.port(), "64m", "clients: {largest-line: 1k}")) {
            assertThat(other.get("/" + "y".repeat(900))).startsWith("200");
            assertThat(other.get("/" + "y".repeat(1_100))).startsWith("414");
        }
    }

    @Test
    void headsAndLinesThatAreTooLongAreRefused() throws Exception {
        String tooLong = "y".repeat(20_000);
        assertThat(send("GET /" + "y".repeat(64 << 10) + " HTTP/1.1|Host: a||", false))
                .contains(" 414 ");
        assertThat(send("GET / HTTP/1.1|Host: a|X: " + tooLong + "||", false)).contains(" 431 ");
        assertThat(send(POST + "1;" + "x".repeat(300) + "|a|0||", false)).contains(" 400 ");
        assertThat(server.whole()).isEmpty();
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            many.add("X-" + i + ": y|");
        }
        assertThat(send("GET / HTTP/1.1|Host: a|" + String.join("", many) + "|", false))
                .contains(" 431 ");
        assertThat(send(POST + "1|a|0|" + String.join("", many) + "|", false)).contains(" 400 ");
        assertThat(server.whole()).isEmpty();
    }
}
