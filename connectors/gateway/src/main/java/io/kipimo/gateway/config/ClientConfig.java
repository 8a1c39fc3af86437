package io.kipimo.gateway.config;

/**
 * Limits for callers.
 *
 * @param headMillis in which a request's head must be there, from its first byte or the
 *     connection's beginning
 * @param bodyMillis over which the rate of a body, of a request or a response, is looked at
 * @param leastBytesPerSecond of a body that is waited for, in each {@code bodyMillis}
 * @param headBytes of a request's headers at most
 * @param connections open at once, at most
 */
public record ClientConfig(
        long headMillis,
        long bodyMillis,
        long leastBytesPerSecond,
        int headBytes,
        int connections) {
    public static final ClientConfig DEFAULT =
            new ClientConfig(10_000, 10_000, 1 << 10, 16 << 10, 10_000);

    /** Whether the bytes of an interval are too few. Earlier speed gives no credit. */
    public boolean isTooSlow(long millis, long bytes) {
        return bytes * 1_000 < millis * leastBytesPerSecond;
    }
}
