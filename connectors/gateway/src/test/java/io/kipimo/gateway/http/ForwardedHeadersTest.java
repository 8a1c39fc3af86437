package io.kipimo.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForwardedHeadersTest {
    private static MultiMap headers(String... pairs) {
        MultiMap headers = HttpHeaders.headers();
        for (int i = 0; i < pairs.length; i += 2) {
            headers.add(pairs[i], pairs[i + 1]);
        }
        return headers;
    }

    private static MultiMap forwarded(MultiMap from) {
        MultiMap to = HttpHeaders.headers();
        ForwardedHeaders.copy(from, to);
        return to;
    }

    /** RFC 9110, sec. 7.6.1. */
    @Test
    void headersOfTheConnectionStayOnIt() {
        MultiMap to = forwarded(headers(
                "Connection",
                "close, X-Once",
                "X-Once",
                "1",
                "x-other",
                "2",
                "Keep-Alive",
                "timeout=5",
                "TE",
                "trailers",
                "Trailer",
                "x",
                "Transfer-Encoding",
                "chunked",
                "Upgrade",
                "h2c",
                "HTTP2-Settings",
                "x",
                "Proxy-Connection",
                "close",
                "Set-Cookie",
                "a=1",
                "Set-Cookie",
                "b=2"));
        assertThat(to.names()).containsExactlyInAnyOrder("x-other", "Set-Cookie");
        assertThat(to.getAll("set-cookie")).containsExactly("a=1", "b=2");
    }

    /** Otherwise a caller could remove headers that the server depends on. */
    @Test
    void namingAnEndToEndHeaderInConnectionDoesNotDropIt() {
        MultiMap to = forwarded(headers(
                "Connection",
                "Host, Authorization, Content-Length",
                "Host",
                "a",
                "Authorization",
                "b",
                "Content-Length",
                "3"));
        assertThat(to.names()).containsExactlyInAnyOrder("Host", "Authorization", "Content-Length");
    }

    @Test
    void originsAreAppendedToThoseBefore() {
        MultiMap to = headers("X-Forwarded-For", "1.1.1.1", "Via", "1.0 other");
        ForwardedHeaders.addOrigin(to, "2.2.2.2", "http", "shop", "1.1");
        assertThat(to.get("X-Forwarded-For")).isEqualTo("1.1.1.1, 2.2.2.2");
        assertThat(to.get("Via")).isEqualTo("1.0 other, 1.1 kipimo");
        assertThat(to.get("X-Forwarded-Host")).isEqualTo("shop");
        assertThat(to.get("X-Forwarded-Proto")).isEqualTo("http");
    }

    private static Optional<Integer> refused(HttpVersion version, String uri, String... pairs) {
        return RequestCheck.check(version, HttpMethod.GET, uri, headers(pairs)).map(RequestCheck.Refusal::status);
    }

    @Test
    void whatTwoServersCouldReadInTwoWaysIsRefused() {
        HttpVersion v11 = HttpVersion.HTTP_1_1;
        assertThat(refused(v11, "/", "Host", "a")).isEmpty();
        assertThat(refused(v11, "/", "Host", "a", "Content-Length", "0")).isEmpty();
        assertThat(refused(v11, "/", "Host", "a", "Transfer-Encoding", "chunked"))
                .isEmpty();
        assertThat(refused(v11, "/")).contains(400);
        assertThat(refused(HttpVersion.HTTP_1_0, "/")).isEmpty();
        assertThat(refused(v11, "/", "Host", "a", "Host", "b")).contains(400);
        for (String length : List.of("+1", "-1", "1,1", "0x1", "", "1 1", "9".repeat(19))) {
            assertThat(refused(v11, "/", "Host", "a", "Content-Length", length))
                    .as(length)
                    .contains(400);
        }
        assertThat(refused(v11, "/", "Host", "a", "Content-Length", "1", "Content-Length", "1"))
                .contains(400);
        assertThat(refused(v11, "/", "Host", "a", "Content-Length", "1", "Transfer-Encoding", "chunked"))
                .contains(400);
        assertThat(refused(HttpVersion.HTTP_1_0, "/", "Transfer-Encoding", "chunked"))
                .contains(400);
        for (String encoding : List.of("xchunked", "gzip, chunked", "chunked, identity", "identity")) {
            assertThat(refused(v11, "/", "Host", "a", "Transfer-Encoding", encoding))
                    .as(encoding)
                    .contains(501);
        }
    }

    @Test
    void targetsInAbsoluteFormArePathsTooOthersAreNot() {
        assertThat(RequestCheck.target("/a?b=c")).contains("/a?b=c");
        assertThat(RequestCheck.target("http://shop:80/a%20b?c")).contains("/a%20b?c");
        assertThat(RequestCheck.target("http://shop")).contains("/");
        assertThat(RequestCheck.target("shop:443")).isEmpty();
        assertThat(RequestCheck.target("http:///x")).isEmpty();
        assertThat(refused(HttpVersion.HTTP_1_1, "*", "Host", "a")).contains(400);
        assertThat(RequestCheck.check(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, "a:1", headers("Host", "a")))
                .map(RequestCheck.Refusal::status)
                .contains(405);
    }
}
