package io.kipimo.gateway.record;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names a request within its query: SHA-256 of query id, component, method, target and body, each
 * with its length, so that no two requests have the same text.
 */
public record MemoKey(String text) {
    /** Key of a request. */
    public static MemoKey of(
            String queryId, String component, String method, String target, byte[] body) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        for (String part : new String[] {queryId, component, method, target}) {
            add(digest, part.getBytes(StandardCharsets.UTF_8));
        }
        add(digest, body);
        return new MemoKey(HexFormat.of().formatHex(digest.digest()));
    }

    private static void add(MessageDigest digest, byte[] part) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            digest.update((byte) (part.length >>> shift));
        }
        digest.update(part);
    }
}
