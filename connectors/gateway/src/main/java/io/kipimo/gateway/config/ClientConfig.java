package io.kipimo.gateway.config;

/**
 * Limits for callers.
 *
 * @param headMillis time limit for a request's head, from its first byte or from the start of the connection
 * @param bodyMillis interval over which the transfer rate of request and response bodies is checked
 * @param leastBytesPerSecond least rate of a body that the gateway waits for, in each {@code bodyMillis}
 * @param headBytes greatest size of a request's headers
 * @param lineBytes greatest size of a request's first line
 * @param connections greatest number of open connections
 */
public record ClientConfig(
        long headMillis, long bodyMillis, long leastBytesPerSecond, int headBytes, int lineBytes, int connections) {
    public static final ClientConfig DEFAULT = new ClientConfig(10_000, 10_000, 1 << 10, 16 << 10, 64 << 10, 10_000);

    /** Whether the body moved too few bytes in an interval. Earlier speed gives no credit. */
    public boolean isTooSlow(long millis, long bytes) {
        return bytes * 1_000 < millis * leastBytesPerSecond;
    }
}
