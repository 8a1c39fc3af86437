package io.kipimo.harness.search.protocol;

import java.util.regex.Pattern;

/**
 * The header {@code version-traceid-parentid-flags} (W3C Trace Context).
 *
 * @param traceId 32 hexadecimal digits, not all 0: the query's id
 */
public record TraceParent(String traceId) {
    private static final Pattern HEADER =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");
    private static final String NO_TRACE = "0".repeat(32);

    /** A trace id of these 128 bits, of which not all are 0. */
    public static TraceParent of(long high, long low) {
        return new TraceParent(String.format("%016x%016x", high, low));
    }

    /** What {@code header} says; null when there is none or it says nothing valid. */
    public static TraceParent parse(String header) {
        if (header == null) {
            return null;
        }
        var match = HEADER.matcher(header);
        return match.matches() && !match.group(1).equals(NO_TRACE)
                ? new TraceParent(match.group(1))
                : null;
    }

    public String toHeader() {
        String span = traceId.substring(16);
        return "00-"
                + traceId
                + "-"
                + (span.equals(NO_TRACE.substring(16)) ? "1" + span.substring(1) : span)
                + "-01";
    }
}
