package io.kipimo.console.server;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Who may look and who may change something. On a loopback address the Host header must name it, so
 * that no page of another site can look through a name that it rebinds (DNS rebinding); elsewhere
 * everything takes the token or the cookie that it was once exchanged for. Changes take the token
 * itself in a header, which no other site's page can send.
 */
final class Access {
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String BEARER = "Bearer ";
    private static final String COOKIE = "kipimo_console";

    private final ServerSettings settings;

    Access(ServerSettings settings) {
        this.settings = settings;
    }

    /**
     * @throws RefusedException unless this client may look
     */
    void checkRead(HttpServerRequest request) {
        checkHost(request);
        if (!settings.isLoopback() && !hasToken(request) && !hasCookie(request)) {
            throw new RefusedException(
                    401, "needs the token: open the address that the console printed");
        }
    }

    /**
     * @throws RefusedException unless this client may change something
     */
    void checkWrite(HttpServerRequest request) {
        checkHost(request);
        if (settings.token().isEmpty()) {
            throw new RefusedException(
                    403, "nothing can be changed here: the console was started without a token");
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        String site = request.getHeader("Sec-Fetch-Site");
        boolean sameOrigin =
                origin == null
                        || origin.equals("http://" + request.getHeader(HttpHeaders.HOST))
                        || origin.equals("https://" + request.getHeader(HttpHeaders.HOST));
        boolean sameSite = site == null || site.equals("same-origin") || site.equals("none");
        if (!sameOrigin || !sameSite) {
            throw new RefusedException(403, "another site's page asks; allowed: the console's own");
        }
        if (!hasToken(request)) {
            throw new RefusedException(
                    401, "needs the header Authorization: Bearer TOKEN with the console's token");
        }
    }

    private void checkHost(HttpServerRequest request) {
        String host = String.valueOf(request.getHeader(HttpHeaders.HOST));
        String name = host.replaceFirst(":\\d+$", "");
        if (settings.isLoopback()
                && !LOOPBACK_NAMES.contains(name)
                && !name.equals(settings.host())) {
            throw new RefusedException(421, "this is not that host; allowed: localhost");
        }
    }

    private boolean hasToken(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        return header != null
                && header.startsWith(BEARER)
                && isToken(header.substring(BEARER.length()));
    }

    /** In the same time whatever the two have in common. */
    boolean isToken(String given) {
        return settings.token().isPresent()
                && MessageDigest.isEqual(
                        keyed("token", given), keyed("token", settings.token().get()));
    }

    private boolean hasCookie(HttpServerRequest request) {
        Cookie cookie = request.getCookie(COOKIE);
        return cookie != null
                && settings.token().isPresent()
                && MessageDigest.isEqual(
                        cookie.getValue().getBytes(StandardCharsets.UTF_8),
                        session().getBytes(StandardCharsets.UTF_8));
    }

    /** What a browser keeps in the place of the token; good for looking only. */
    Cookie cookie() {
        return Cookie.cookie(COOKIE, session())
                .setHttpOnly(true)
                .setSameSite(CookieSameSite.STRICT)
                .setPath("/");
    }

    private String session() {
        return HexFormat.of().formatHex(keyed("session", settings.token().orElseThrow()));
    }

    private static byte[] keyed(String purpose, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalStateException("every JVM has HmacSHA256, and keys are not empty", e);
        }
    }
}
