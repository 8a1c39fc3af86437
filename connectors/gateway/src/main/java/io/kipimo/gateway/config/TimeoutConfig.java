package io.kipimo.gateway.config;

/**
 * Timeouts, milliseconds.
 *
 * @param connectMillis time limit of a connection attempt to a server
 * @param responseMillis time limit from the request to the head of the response
 * @param idleMillis time after which an idle connection is closed
 */
public record TimeoutConfig(int connectMillis, long responseMillis, long idleMillis) {
    public static final TimeoutConfig DEFAULT = new TimeoutConfig(1_000, 30_000, 60_000);
}
