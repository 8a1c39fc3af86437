package io.kipimo.gateway.config;

/**
 * How many requests may be under way at once, learned from their latency.
 *
 * @param enabled or no limit
 * @param initial before anything is learned
 * @param least it never falls below
 * @param most it never rises above
 */
public record LimitConfig(boolean enabled, int initial, int least, int most) {
    public static final LimitConfig DEFAULT = new LimitConfig(true, 100, 20, 2_000);
}
