package io.kipimo.gateway.trust;

import io.kipimo.sdk.trace.TraceParent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** Makes trace ids for queries whose own ids have another form. */
final class OwnIds {
    private static final Pattern TRACE_ID = Pattern.compile("(?!0{32})[0-9a-f]{32}");

    private OwnIds() {}

    /**
     * A trace whose id depends only on the caller's own id. An own id of 32 hexadecimal digits, with dashes as in a
     * UUID or without, becomes the trace id. For other texts, the trace id is the first half of their SHA-256.
     *
     * @param named the caller's {@code traceparent}, whose span and flags the trace keeps; empty: none
     */
    static TraceParent trace(String id, Optional<TraceParent> named, RandomGenerator random) {
        TraceParent other = named.orElseGet(() -> TraceParent.start(random));
        return new TraceParent(traceId(id), other.parentId(), other.flags());
    }

    static String traceId(String id) {
        String digits = id.strip().replace("-", "").toLowerCase(Locale.ROOT);
        return TRACE_ID.matcher(digits).matches() ? digits : hash(id.strip());
    }

    private static String hash(String id) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
