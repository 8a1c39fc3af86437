package io.kipimo.schemas.quality;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Identity of a query, by which the join matches its events. A W3C trace id is stored as two numbers, because the join
 * compares keys for every event, and a text costs two more memory accesses.
 */
public final class QueryKey {
    /** Characters of a W3C trace id. */
    public static final int TRACE_ID_LENGTH = 32;

    /** 2^64 divided by the golden ratio. */
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] NO_TRACE_ID = {};

    /** Values of ASCII characters as lower-case hexadecimal digits; -1: not a digit. */
    private static final byte[] DIGITS = digits();

    /** 31 to the power of half a trace id's length. A hash code times this number is shifted by as many characters. */
    private static final int HALF_SHIFT =
            BigInteger.valueOf(31).pow(TRACE_ID_LENGTH / 2).intValue();

    private final String service;

    /** Null if the id is a trace id. */
    private final String text;

    private final long high;
    private final long low;

    /** Hash code of the id's text. */
    private final int idHash;

    public QueryKey(String service, String queryId) {
        byte[] latin =
                queryId.length() == TRACE_ID_LENGTH ? queryId.getBytes(StandardCharsets.ISO_8859_1) : NO_TRACE_ID;
        // A character beyond the basic plane has two chars, and becomes one byte.
        QueryKey trace = latin.length == TRACE_ID_LENGTH ? ofTraceId(service, latin, 0) : null;
        this.service = service;
        this.text = trace == null ? queryId : null;
        this.high = trace == null ? 0 : trace.high;
        this.low = trace == null ? 0 : trace.low;
        this.idHash = queryId.hashCode();
    }

    private QueryKey(String service, long high, long low, int idHash) {
        this.service = service;
        this.text = null;
        this.high = high;
        this.low = low;
        this.idHash = idHash;
    }

    /**
     * The key of a trace id; null if the bytes are not 32 lower-case hexadecimal digits, or all are zero.
     *
     * @param ascii at least 32 bytes from {@code start} on
     */
    public static QueryKey ofTraceId(String service, byte[] ascii, int start) {
        int half = start + TRACE_ID_LENGTH / 2;
        long high = 0;
        long low = 0;
        int highHash = 0;
        int lowHash = 0;
        int signs = 0;
        // Both halves in one loop: their two chains of hash steps run in parallel.
        for (int i = start; i < half; i++) {
            byte highChar = ascii[i];
            byte lowChar = ascii[i + TRACE_ID_LENGTH / 2];
            int highDigit = DIGITS[highChar & 0xff];
            int lowDigit = DIGITS[lowChar & 0xff];
            signs |= highDigit | lowDigit;
            high = high << 4 | highDigit;
            low = low << 4 | lowDigit;
            highHash = 31 * highHash + highChar;
            lowHash = 31 * lowHash + lowChar;
        }
        return signs < 0 || (high | low) == 0
                ? null
                : new QueryKey(service, high, low, HALF_SHIFT * highHash + lowHash);
    }

    private static byte[] digits() {
        byte[] digits = new byte[256];
        Arrays.fill(digits, (byte) -1);
        for (int value = 0; value < 16; value++) {
            digits[Character.forDigit(value, 16)] = (byte) value;
        }
        return digits;
    }

    public String service() {
        return service;
    }

    /** The id; for trace ids, each call creates a new text. */
    public String queryId() {
        if (text != null) {
            return text;
        }
        byte[] ascii = new byte[TRACE_ID_LENGTH];
        writeTraceId(ascii);
        return new String(ascii, StandardCharsets.ISO_8859_1);
    }

    /**
     * Writes a trace id as text.
     *
     * @param ascii receives {@link #TRACE_ID_LENGTH} characters
     */
    public void writeTraceId(byte[] ascii) {
        for (int i = 0; i < TRACE_ID_LENGTH / 2; i++) {
            int shift = 60 - 4 * i;
            ascii[i] = HEX[(int) (high >>> shift) & 15];
            ascii[i + TRACE_ID_LENGTH / 2] = HEX[(int) (low >>> shift) & 15];
        }
    }

    /** Whether the id is a W3C trace id: 32 lower-case hexadecimal digits, not all zero. */
    public boolean isTraceId() {
        return text == null;
    }

    /** The first 64 bits of a trace id; 0 for other ids. */
    public long traceIdHigh() {
        return high;
    }

    /** The last 64 bits of a trace id; 0 for other ids. */
    public long traceIdLow() {
        return low;
    }

    /** A hash code that is equal in every JVM, because it determines the subtask of a query. */
    @Override
    public int hashCode() {
        return 31 * service.hashCode() + idHash;
    }

    /** A hash of the id, whose upper bits are well mixed. For a trace id, each salt gives another hash. */
    public long hash(long salt) {
        return mix(mix(high ^ salt) + (text == null ? low : idHash)) * GOLDEN_RATIO;
    }

    private static long mix(long value) {
        long product = value * GOLDEN_RATIO;
        return product ^ product >>> Integer.SIZE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QueryKey that
                && idHash == that.idHash
                && low == that.low
                && high == that.high
                && (text == null ? that.text == null : text.equals(that.text))
                && service.equals(that.service);
    }

    @Override
    public String toString() {
        return service + '/' + queryId();
    }
}
