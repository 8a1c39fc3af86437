package io.kipimo.gateway.record;

import io.kipimo.gateway.trust.FleetSecret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Identifies a request of a query: an HMAC of query id, component, method, target, credentials and body under the
 * fleet's secret. Different requests have different keys, and a reader of the memo cache cannot test guesses of
 * credentials.
 */
public record MemoKey(String text) {
    private static final String PURPOSE = "memo";

    /**
     * Key of a request.
     *
     * @param credentials values of each header that identifies the caller, in a fixed order
     */
    public static MemoKey of(
            FleetSecret secret,
            String queryId,
            String component,
            String method,
            String target,
            List<List<String>> credentials,
            byte[] body) {
        List<byte[]> parts = new ArrayList<>();
        for (String part : new String[] {queryId, component, method, target}) {
            parts.add(part.getBytes(StandardCharsets.UTF_8));
        }
        for (List<String> values : credentials) {
            parts.add(Integer.toString(values.size()).getBytes(StandardCharsets.UTF_8));
            values.forEach(value -> parts.add(value.getBytes(StandardCharsets.UTF_8)));
        }
        parts.add(body);
        return new MemoKey(HexFormat.of().formatHex(secret.sign(PURPOSE, parts)));
    }
}
