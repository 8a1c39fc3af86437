package io.kipimo.gateway.trust;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Marks a request of a replay in {@code tracestate}: {@code replay-EXPIRY-SIGNATURE}, the expiry in epoch milliseconds
 * as hexadecimal digits, the signature over it and the query's id. A token cannot be forged, used for another query, or
 * used after its expiry.
 */
public final class ReplayTokens {
    /** Result of a check of a token. */
    public enum TokenVerdict {
        VALID,
        /** Malformed, or signed for another query or with another fleet's secret. */
        FORGED,
        EXPIRED
    }

    private static final Pattern FORM = Pattern.compile("replay-([0-9a-f]{1,16})-[A-Za-z0-9_-]{22}");
    private static final String PURPOSE = "replay";

    /** 128 bits: infeasible to guess, and short enough for the header. */
    private static final int SIGNATURE_BYTES = 16;

    private final FleetSecret secret;

    public ReplayTokens(FleetSecret secret) {
        this.secret = secret;
    }

    /** Creates the token for requests of a replay. */
    public String issue(String queryId, long expiresMillis) {
        String expiry = Long.toHexString(expiresMillis);
        byte[] signature = secret.sign(
                PURPOSE, List.of(queryId.getBytes(StandardCharsets.UTF_8), expiry.getBytes(StandardCharsets.US_ASCII)));
        return "replay-"
                + expiry
                + '-'
                + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(signature, SIGNATURE_BYTES));
    }

    /** Checks a token for a query at a time. */
    public TokenVerdict check(String value, String queryId, long nowMillis) {
        Matcher form = FORM.matcher(value);
        if (!form.matches()) {
            return TokenVerdict.FORGED;
        }
        long expiresMillis = Long.parseUnsignedLong(form.group(1), 16);
        // In constant time, so that timing reveals nothing about the signature.
        if (!MessageDigest.isEqual(
                issue(queryId, expiresMillis).getBytes(StandardCharsets.US_ASCII),
                value.getBytes(StandardCharsets.US_ASCII))) {
            return TokenVerdict.FORGED;
        }
        return nowMillis < expiresMillis ? TokenVerdict.VALID : TokenVerdict.EXPIRED;
    }
}
