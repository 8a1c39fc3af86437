package io.kipimo.gateway.config;

/**
 * What callers must keep to.
 *
 * @param headMillis in which a request's head must be there, from its first byte or the
 *     connection's beginning
 * @param bodyMillis that a body, of a request or a response, may take however small it is
 * @param leastBytesPerSecond a body may take another second for each so many bytes that have passed
 * @param headBytes of a request's headers at most
 */
public record ClientConfig(
        long headMillis, long bodyMillis, long leastBytesPerSecond, int headBytes) {
    public static final ClientConfig DEFAULT = new ClientConfig(10_000, 10_000, 1 << 10, 16 << 10);

    /**
     * How long a body may take.
     *
     * @param bytes of it that have passed
     * @return milliseconds, without those in which nobody waited for the caller
     */
    public long allowedMillis(long bytes) {
        return bodyMillis + bytes * 1_000 / leastBytesPerSecond;
    }
}
