package io.kipimo.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that requests carry in the header {@code Authorization}. It is compared in constant time, and never shown.
 */
public final class BearerToken {
    public static final int SHORTEST = 16;

    private static final Pattern BEARER = Pattern.compile("(?i:bearer) +([!-~]+)");
    private static final Pattern TOKEN = Pattern.compile("[!-~]{" + SHORTEST + ",512}");

    private final String token;

    /** @throws IllegalArgumentException unless it has {@value #SHORTEST} to 512 characters of ASCII without blanks */
    public BearerToken(String token) {
        if (!TOKEN.matcher(token).matches()) {
            throw new IllegalArgumentException(
                    "token is not shown here; allowed: " + SHORTEST + "..512 characters, ASCII, no blanks");
        }
        this.token = token;
    }

    /** Whether a request carries the token. */
    public boolean isIn(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        Matcher bearer = BEARER.matcher(header == null ? "" : header);
        return bearer.matches() && is(bearer.group(1));
    }

    /** Whether a text is the token. */
    public boolean is(String given) {
        return !given.isEmpty() && MessageDigest.isEqual(keyed("token", given), keyed("token", token));
    }

    /** A text that is derived from the token for a purpose. It does not reveal the token. */
    public String derived(String purpose) {
        return HexFormat.of().formatHex(keyed(purpose, token));
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

    @Override
    public String toString() {
        return "BearerToken";
    }
}
