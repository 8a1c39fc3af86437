package io.kipimo.gateway.config;

/**
 * Timeouts, milliseconds.
 *
 * @param connectMillis to a server
 * @param responseMillis from the request to the head of the response
 * @param idleMillis until an idle connection is closed
 */
public record TimeoutConfig(int connectMillis, long responseMillis, long idleMillis) {
    public static final TimeoutConfig DEFAULT = new TimeoutConfig(1_000, 30_000, 60_000);
}
