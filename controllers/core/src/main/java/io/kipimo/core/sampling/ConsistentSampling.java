package io.kipimo.core.sampling;

import io.kipimo.schemas.quality.QueryKey;

/**
 * A query is sampled when {@code R >= T}. R is the 56 bits of randomness of the query id, and {@code T = round((1 -
 * rate) * 2^56)}: OpenTelemetry's consistent probability sampling (specification, "Tracing: Sampling", 2024). The query
 * ids sampled at a rate contain those sampled at any lower rate, and every component with the id makes the same
 * decision.
 *
 * <p>R depends on the id alone. For an id in the form of a W3C trace id, R is its rightmost 56 bits. For every other id
 * (an application's own, or one that begins with the time, such as X-Ray's), R is the rightmost 56 bits of xxHash64,
 * seed 0, over the id's UTF-8 bytes. The random flag of the trace context is ignored: tracers may lose it, and then two
 * components would decide differently. Ids of that form whose low bits are not random (a UUID of version 1, a counter)
 * are sampled all or none (open-telemetry/opentelemetry-go#3557); {@link UniformityCheck} detects them.
 */
public final class ConsistentSampling {
    /** R and T are below this; 2^56. */
    public static final long RANDOMNESS_RANGE = 1L << 56;

    private static final int TRACE_ID_LENGTH = 32;
    private static final int RANDOMNESS_DIGITS = 14;

    private ConsistentSampling() {}

    /**
     * Whether a query is sampled.
     *
     * @param rate fraction of the queries, 0..1; 0 samples none, 1 all
     * @throws IllegalArgumentException if the rate is not within 0..1
     */
    public static boolean isSampled(String queryId, double rate) {
        return randomness(queryId) >= threshold(rate);
    }

    /** R of a query id, 0..2^56 - 1. */
    public static long randomness(String queryId) {
        return isTraceId(queryId) ? rightmostDigits(queryId) : hash(queryId) & (RANDOMNESS_RANGE - 1);
    }

    /** R of a query, 0..2^56 - 1. */
    public static long randomness(QueryKey key) {
        return key.isTraceId()
                ? key.traceIdLow() & (RANDOMNESS_RANGE - 1)
                : hash(key.queryId()) & (RANDOMNESS_RANGE - 1);
    }

    /**
     * T of a rate, 0..2^56; at 2^56 no query is sampled.
     *
     * @param rate fraction of the queries, 0..1
     * @throws IllegalArgumentException if the rate is not within 0..1
     */
    public static long threshold(double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException("sampling rate is " + rate + "; allowed: 0..1");
        }
        // Scaling by 2^56 is exact; 1 - rate is not.
        return RANDOMNESS_RANGE - Math.round(rate * RANDOMNESS_RANGE);
    }

    /** Whether an id has the form of a W3C trace id: 32 lower-case hexadecimal digits, not all zero. */
    static boolean isTraceId(String id) {
        if (id.length() != TRACE_ID_LENGTH) {
            return false;
        }
        boolean allZero = true;
        for (int i = 0; i < TRACE_ID_LENGTH; i++) {
            char c = id.charAt(i);
            if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
                return false;
            }
            allZero &= c == '0';
        }
        return !allZero;
    }

    /** xxHash64, seed 0, of the UTF-8 bytes. */
    static long hash(String id) {
        return XxHash64.hash(id, 0);
    }

    private static long rightmostDigits(String traceId) {
        long value = 0;
        for (int i = TRACE_ID_LENGTH - RANDOMNESS_DIGITS; i < TRACE_ID_LENGTH; i++) {
            char c = traceId.charAt(i);
            value = (value << 4) | (c <= '9' ? c - '0' : c - 'a' + 10);
        }
        return value;
    }
}
