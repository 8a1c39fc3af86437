package io.kipimo.core.stale;

import io.kipimo.core.ttl.TtlSettings;

/**
 * Freshness that a client requires of its reads.
 *
 * @param refreshMillis Delta: greatest staleness of a read; at 0 every read is a revalidation
 * @param rememberedKeys most keys whose versions a session remembers; older ones are revalidated until the longest time
 *     to live has ended
 * @param longestTtlMillis longest time to live that the origin hands out; it is a setting of the ttl job
 */
public record FreshnessSettings(long refreshMillis, int rememberedKeys, long longestTtlMillis) {
    /**
     * A Delta of one second, as in Quaestor's experiments; ten thousand remembered keys; a longest time to live of an
     * hour.
     */
    public static final FreshnessSettings DEFAULT = new FreshnessSettings(1000, 10_000);

    /** Takes the longest time to live from the default of the ttl job. */
    public FreshnessSettings(long refreshMillis, int rememberedKeys) {
        this(refreshMillis, rememberedKeys, TtlSettings.DEFAULT.longestMillis());
    }

    /** @throws IllegalArgumentException if a value is out of range */
    public FreshnessSettings {
        if (refreshMillis < 0) {
            throw new IllegalArgumentException("refresh is " + refreshMillis + " ms; allowed: at least 0");
        }
        if (rememberedKeys < 1) {
            throw new IllegalArgumentException("remembered keys are " + rememberedKeys + "; allowed: at least 1");
        }
        if (longestTtlMillis < 0) {
            throw new IllegalArgumentException(
                    "longest time to live is " + longestTtlMillis + " ms; allowed: at least 0");
        }
    }
}
