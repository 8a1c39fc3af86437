package io.kipimo.sdk.trace;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Makes W3C trace and span ids, for services without tracing. */
public final class TraceIds {
    private static final HexFormat HEX = HexFormat.of();

    private TraceIds() {}

    /** A trace id with 128 random bits: 32 lower-case hexadecimal digits, not all zero. */
    public static String newTraceId(RandomGenerator random) {
        long high = random.nextLong();
        long low = random.nextLong();
        return high == 0 && low == 0 ? newTraceId(random) : HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }

    /** A span id: 16 lower-case hexadecimal digits, not all zero. */
    public static String newSpanId(RandomGenerator random) {
        long id = random.nextLong();
        return id == 0 ? newSpanId(random) : HEX.toHexDigits(id);
    }
}
