package io.kipimo.console.server;

import io.kipimo.http.BearerToken;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides who may read and who may change something. On a loopback address the Host header must name the console's
 * host, so that no page of another site can read by DNS rebinding. Elsewhere, and behind a proxy, all requests need the
 * token, the cookie that it was exchanged for, or a user named by a trusted proxy. Changes need the token itself in a
 * header, which no page of another site can send. For a user named by a proxy, changes must come from the console's own
 * page instead, since the proxy may know the user by a cookie.
 */
final class Access {
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern HOST = Pattern.compile("([^:\\[\\]]+|\\[[0-9a-fA-F:.]+])(?::(\\d{0,5}))?");
    private static final String COOKIE = "kipimo_console";

    private final ServerSettings settings;
    private final Optional<BearerToken> token;

    Access(ServerSettings settings) {
        this.settings = settings;
        token = settings.token().map(BearerToken::new);
    }

    /**
     * Checks that the client may read.
     *
     * @throws RequestRefusedException unless this client may read
     */
    void checkRead(HttpServerRequest request, RequestTarget target) {
        checkHost(request, target);
        if (settings.isTokenToLook() && !isKnown(request)) {
            throw new RequestRefusedException(
                    401,
                    token.isEmpty()
                            ? "needs a login by the proxy"
                            : "needs the token: open /?token=TOKEN at the console's address once");
        }
    }

    /**
     * Checks like {@link #checkRead}, for clients that cannot send headers. Such a client may give the token elsewhere.
     *
     * @param given the token that the client gave
     * @throws RequestRefusedException unless this client may read
     */
    void checkRead(HttpServerRequest request, RequestTarget target, Optional<String> given) {
        checkHost(request, target);
        if (settings.isTokenToLook()
                && !isKnown(request)
                && given.filter(this::isToken).isEmpty()) {
            throw new RequestRefusedException(401, "needs the console's token in metadata.token");
        }
    }

    /**
     * Checks that the request does not come from another site's page. Such a page could not read the response, but
     * would occupy a connection.
     *
     * @throws RequestRefusedException if it comes from another site's page
     */
    void checkOwnPage(HttpServerRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            throw new RequestRefusedException(
                    403, "request comes from another site's page; allowed: the console's own");
        }
    }

    /**
     * Returns whether the request has the token, the cookie that it was exchanged for, or a user named by a proxy.
     *
     * @throws RequestRefusedException if a trusted proxy names no clear user
     */
    boolean isKnown(HttpServerRequest request) {
        return user(request).isPresent() || (token.isPresent() && (hasToken(request) || hasCookie(request)));
    }

    /**
     * The user that a trusted proxy names in a header. That header is ignored in requests from other addresses.
     *
     * @throws RequestRefusedException if the header occurs twice or its value is no name
     */
    Optional<String> user(HttpServerRequest request) {
        if (settings.login().isEmpty()) {
            return Optional.empty();
        }
        ProxyLogin login = settings.login().get();
        List<String> named = request.headers().getAll(login.header());
        if (named.isEmpty() || !login.isProxy().test(request.remoteAddress().hostAddress())) {
            return Optional.empty();
        }
        if (named.size() > 1) {
            throw new RequestRefusedException(400, login.header() + " is there more than once; allowed: once");
        }
        return Optional.of(named(login.header(), named.get(0))).filter(name -> !name.isEmpty());
    }

    /** Decodes a header's value as UTF-8, which proxies send. Netty gives each byte of it as one character. */
    private static String named(String header, String value) {
        try {
            String name = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString()
                    .strip();
            // A comma may be the trace of two headers, one of them the client's own.
            if (name.length() <= WriteRequests.MAXIMUM_TEXT
                    && name.indexOf(',') < 0
                    && !WriteRequests.UNFIT.matcher(name).find()) {
                return name;
            }
        } catch (CharacterCodingException e) {
            // Told below.
        }
        throw new RequestRefusedException(
                400,
                "%s is no name; allowed: 1..%s characters, UTF-8, no comma, no control characters"
                        .formatted(header, WriteRequests.MAXIMUM_TEXT));
    }

    /**
     * Checks that the client may change something.
     *
     * @throws RequestRefusedException unless this client may change something
     */
    void checkWrite(HttpServerRequest request, RequestTarget target) {
        checkHost(request, target);
        if (!settings.isWritable()) {
            throw new RequestRefusedException(
                    403, "nothing can be changed here: the console was started without a token");
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        boolean sameOrigin = origin == null
                || origin.equals("http://" + request.getHeader(HttpHeaders.HOST))
                || origin.equals("https://" + request.getHeader(HttpHeaders.HOST))
                || settings.publicUrl()
                        .map(Access::origin)
                        .filter(origin::equals)
                        .isPresent();
        if (!sameOrigin) {
            throw new RequestRefusedException(
                    403, "request comes from another site's page; allowed: the console's own");
        }
        checkOwnPage(request);
        if (user(request).isPresent()) {
            if (origin == null) {
                throw new RequestRefusedException(
                        403, "needs the header Origin with the console's address, or the token");
            }
        } else if (!hasToken(request)) {
            throw new RequestRefusedException(
                    401,
                    token.isEmpty()
                            ? "needs a login by the proxy"
                            : "needs the header Authorization: Bearer TOKEN with the console's token");
        }
    }

    private void checkHost(HttpServerRequest request, RequestTarget target) {
        String host = String.valueOf(request.getHeader(HttpHeaders.HOST));
        if (target.authority().filter(a -> !a.equalsIgnoreCase(host)).isPresent()) {
            throw new RequestRefusedException(400, "target and Host are not the same; allowed: one host");
        }
        Matcher parts = HOST.matcher(host.toLowerCase(Locale.ROOT));
        if (!parts.matches() || !isPort(parts.group(2))) {
            throw new RequestRefusedException(400, "Host is malformed; allowed: NAME or NAME:PORT");
        }
        String name = parts.group(1);
        if (settings.isLoopback()
                && !LOOPBACK_NAMES.contains(name)
                && !name.equals(settings.host())
                && settings.publicUrl()
                        .filter(url -> url.getHost().equalsIgnoreCase(name))
                        .isEmpty()) {
            throw new RequestRefusedException(421, "Host is not this machine; allowed: localhost");
        }
    }

    private static boolean isPort(String port) {
        return port == null || port.isEmpty() || Integer.parseInt(port) <= 65_535;
    }

    private static String origin(URI url) {
        return url.getScheme() + "://" + url.getRawAuthority();
    }

    boolean hasToken(HttpServerRequest request) {
        return token.isPresent() && token.get().isIn(request);
    }

    boolean isToken(String given) {
        return token.isPresent() && token.get().is(given);
    }

    private boolean hasCookie(HttpServerRequest request) {
        // Another service of the same host may have set a cookie of the same name.
        String all = String.join("; ", request.headers().getAll(HttpHeaders.COOKIE));
        return ServerCookieDecoder.LAX.decodeAll(all).stream()
                .filter(cookie -> cookie.name().equals(COOKIE))
                .anyMatch(cookie -> MessageDigest.isEqual(
                        cookie.value().getBytes(StandardCharsets.UTF_8),
                        session().getBytes(StandardCharsets.UTF_8)));
    }

    /** The cookie that a browser keeps instead of the token; it permits reading only. */
    Cookie cookie() {
        return Cookie.cookie(COOKIE, session())
                .setHttpOnly(true)
                .setSecure(settings.isSecure())
                .setSameSite(CookieSameSite.STRICT)
                .setPath("/");
    }

    private String session() {
        return token.orElseThrow().derived("session");
    }
}
