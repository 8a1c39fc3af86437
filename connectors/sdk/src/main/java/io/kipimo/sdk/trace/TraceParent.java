package io.kipimo.sdk.trace;

import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@code traceparent} (W3C Trace Context, level 2, sec. 3.2).
 *
 * @param traceId 32 lower-case hexadecimal digits, not all zero; Kipimo's query id
 * @param parentId 16 lower-case hexadecimal digits, not all zero
 * @param flags 0..255; see {@link #isSampled()}
 */
public record TraceParent(String traceId, String parentId, int flags) {
    public static final String HEADER = "traceparent";

    private static final int SAMPLED = 1;
    private static final int RANDOM = 2;

    private static final Pattern TRACE_ID = Pattern.compile("(?!0{32})[0-9a-f]{32}");
    private static final Pattern PARENT_ID = Pattern.compile("(?!0{16})[0-9a-f]{16}");

    /** Form of the header. Later versions may add fields after a dash. */
    private static final Pattern FORM =
            Pattern.compile("([0-9a-f]{2})-(" + TRACE_ID + ")-(" + PARENT_ID + ")-([0-9a-f]{2})(-.*)?");

    /** @throws IllegalArgumentException if a part has another form */
    public TraceParent {
        if (!TRACE_ID.matcher(traceId).matches()
                || !PARENT_ID.matcher(parentId).matches()
                || flags < 0
                || flags > 255) {
            throw new IllegalArgumentException(
                    ("trace id has %s, parent id %s characters, flags is %s; allowed: 32 and 16 of 0-9 "
                                    + "a-f, not all zero, 0..255")
                            .formatted(traceId.length(), parentId.length(), flags));
        }
    }

    /** Starts a trace with a random id. */
    public static TraceParent start(RandomGenerator random) {
        return new TraceParent(TraceIds.newTraceId(random), TraceIds.newSpanId(random), RANDOM);
    }

    /**
     * Starts a trace that replaces this one (W3C Trace Context, level 2, sec. 3.4). The sampled flag of the caller is
     * kept.
     */
    public TraceParent restart(RandomGenerator random) {
        TraceParent start = start(random);
        return new TraceParent(start.traceId, start.parentId, start.flags | (flags & SAMPLED));
    }

    /** Parses a header; empty if it is absent, malformed, or of the forbidden version ff. */
    public static Optional<TraceParent> parse(String header) {
        if (header == null) {
            return Optional.empty();
        }
        Matcher form = FORM.matcher(header);
        if (!form.matches() || form.group(1).equals("ff") || (form.group(1).equals("00") && form.group(5) != null)) {
            return Optional.empty();
        }
        return Optional.of(new TraceParent(form.group(2), form.group(3), HexFormat.fromHexDigits(form.group(4))));
    }

    /** Formats a header of version 00, which has two flags. */
    public String format() {
        return "00-" + traceId + "-" + parentId + "-" + HexFormat.of().toHexDigits((byte) (flags & (SAMPLED | RANDOM)));
    }

    /** Whether the caller may have recorded the trace; unrelated to Kipimo's sampling. */
    public boolean isSampled() {
        return (flags & SAMPLED) != 0;
    }
}
