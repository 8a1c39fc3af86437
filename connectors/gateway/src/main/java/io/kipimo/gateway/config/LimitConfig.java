package io.kipimo.gateway.config;

/**
 * Limit of requests in progress, learned from their latency.
 *
 * @param enabled whether there is a limit
 * @param initial limit before the first measurement
 * @param least lower bound of the limit
 * @param most upper bound of the limit
 */
public record LimitConfig(boolean enabled, int initial, int least, int most) {
    public static final LimitConfig DEFAULT = new LimitConfig(true, 100, 20, 2_000);
}
