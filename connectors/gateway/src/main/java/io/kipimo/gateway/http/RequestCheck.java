package io.kipimo.gateway.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Refuses requests that two servers could interpret differently (RFC 9112, sec. 11.2), and those that a reverse proxy
 * does not serve. The decoder in {@code transport} has checked the bytes; this class checks names and values, and
 * lengths again.
 */
public final class RequestCheck {
    /**
     * Value of {@code Host}: a name or address, and a port. It is empty if the target has no host (RFC 9112, sec. 3.2).
     */
    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(:[0-9]{0,5})?");

    private RequestCheck() {}

    /**
     * Refusal of a request.
     *
     * @param status status of the response
     */
    public record Refusal(int status, String why) {}

    /** Checks a request, and returns why it is refused; empty: it is forwarded. */
    public static Optional<Refusal> check(HttpVersion version, HttpMethod method, String uri, MultiMap headers) {
        if (method.equals(HttpMethod.CONNECT) || method.equals(HttpMethod.TRACE)) {
            return refuse(405, "method " + method + " is not for a reverse proxy");
        }
        List<String> lengths = headers.getAll("content-length");
        if (lengths.size() > 1 || (lengths.size() == 1 && !isLength(lengths.get(0)))) {
            return refuse(400, "Content-Length is not one number");
        }
        List<String> encodings = headers.getAll("transfer-encoding");
        if (!encodings.isEmpty()) {
            if (version == HttpVersion.HTTP_1_0 || !lengths.isEmpty()) {
                return refuse(400, "Transfer-Encoding is not allowed here");
            }
            if (encodings.size() > 1 || !encodings.get(0).strip().equalsIgnoreCase("chunked")) {
                return refuse(501, "Transfer-Encoding is not chunked");
            }
        }
        List<String> hosts = headers.getAll("host");
        if (hosts.size() > 1 || (hosts.isEmpty() && version == HttpVersion.HTTP_1_1)) {
            return refuse(400, "Host occurs " + hosts.size() + " times");
        }
        if (!hosts.isEmpty() && !HOST.matcher(hosts.get(0)).matches()) {
            return refuse(400, "Host is not a valid host");
        }
        if (target(uri).isEmpty() && !(uri.equals("*") && method.equals(HttpMethod.OPTIONS))) {
            return refuse(400, "the request's target is not a path");
        }
        if (!uri.startsWith("/")
                && !uri.equals("*")
                && !hosts.isEmpty()
                && !URI.create(uri).getRawAuthority().equalsIgnoreCase(hosts.get(0))) {
            return refuse(400, "the request's target and Host name different hosts");
        }
        return Optional.empty();
    }

    private static Optional<Refusal> refuse(int status, String why) {
        return Optional.of(new Refusal(status, why));
    }

    /** Whether a length has digits only, at most 18. Servers may differ in how they interpret a sign or a list. */
    private static boolean isLength(String value) {
        return !value.isEmpty() && value.length() <= 18 && value.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /**
     * Path and query of a target in origin form, or in absolute form, which servers must accept (RFC 9112, sec. 3.2.2);
     * empty for other forms.
     */
    public static Optional<String> target(String uri) {
        if (uri.startsWith("/")) {
            return Optional.of(uri);
        }
        if (!uri.startsWith("http://") && !uri.startsWith("https://")) {
            return Optional.empty();
        }
        try {
            URI absolute = new URI(uri);
            String path = absolute.getRawPath() == null ? "" : absolute.getRawPath();
            String query = absolute.getRawQuery() == null ? "" : '?' + absolute.getRawQuery();
            return absolute.getHost() == null ? Optional.empty() : Optional.of((path.isEmpty() ? "/" : path) + query);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
