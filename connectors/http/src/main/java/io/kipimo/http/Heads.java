package io.kipimo.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Map;

/**
 * Refuses ambiguous heads of requests (RFC 9112, sec. 3 and 6). Otherwise a client behind a proxy could get another's
 * response, or pass a check with one of two values of a header.
 */
final class Heads {
    /** Headers that affect processing and may occur only once. */
    private static final List<String> ONCE = List.of(
            "Host",
            "Authorization",
            "Origin",
            "Sec-Fetch-Site",
            "Expect",
            "Content-Type",
            "Content-Length",
            "Transfer-Encoding");

    private Heads() {}

    /** @throws HeadRefusedException if the head is ambiguous; its message says how */
    static void check(HttpRequest request) {
        HttpVersion version = request.protocolVersion();
        if (!version.protocolName().equals("HTTP")) {
            throw new HeadRefusedException(400, "request line is not HTTP's");
        }
        if (version.majorVersion() != 1) {
            throw new HeadRefusedException(505, "HTTP version is not supported; allowed: HTTP/1.1, HTTP/1.0");
        }
        // RFC 9110, sec. 2.5: treat an unknown minor version as the highest known one.
        request.setProtocolVersion(version.minorVersion() == 0 ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1);
        HttpHeaders headers = request.headers();
        for (Map.Entry<String, String> header : headers) {
            if (header.getKey().isEmpty()) {
                throw new HeadRefusedException(400, "a header has no name");
            }
        }
        for (String name : ONCE) {
            if (headers.getAll(name).size() > 1) {
                throw new HeadRefusedException(400, name + " is there more than once; allowed: once");
            }
        }
        if (request.protocolVersion().equals(HttpVersion.HTTP_1_1) && !headers.contains(HttpHeaderNames.HOST)) {
            throw new HeadRefusedException(400, "Host is not there; allowed: the console's");
        }
        checkBody(request, headers);
    }

    private static void checkBody(HttpRequest request, HttpHeaders headers) {
        String coding = headers.get(HttpHeaderNames.TRANSFER_ENCODING);
        if (coding != null
                && (!coding.equalsIgnoreCase("chunked")
                        || request.protocolVersion().equals(HttpVersion.HTTP_1_0))) {
            throw new HeadRefusedException(400, "Transfer-Encoding is not supported; allowed: chunked, in HTTP/1.1");
        }
        String expected = headers.get(HttpHeaderNames.EXPECT);
        if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
            throw new HeadRefusedException(417, "Expect is not supported; allowed: 100-continue");
        }
    }
}
