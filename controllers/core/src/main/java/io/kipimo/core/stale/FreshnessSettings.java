package io.kipimo.core.stale;

/**
 * Freshness that a client requires of its reads.
 *
 * @param refreshMillis Delta: greatest staleness of a read; at 0 every read is a revalidation
 * @param rememberedKeys most keys whose versions a session remembers; older ones are revalidated
 */
public record FreshnessSettings(long refreshMillis, int rememberedKeys) {
    /** One second, as in Quaestor's experiments; ten thousand keys. */
    public static final FreshnessSettings DEFAULT = new FreshnessSettings(1000, 10_000);

    /**
     * @throws IllegalArgumentException if a value is out of range
     */
    public FreshnessSettings {
        if (refreshMillis < 0) {
            throw new IllegalArgumentException(
                    "refresh is " + refreshMillis + " ms; allowed: at least 0");
        }
        if (rememberedKeys < 1) {
            throw new IllegalArgumentException(
                    "remembered keys are " + rememberedKeys + "; allowed: at least 1");
        }
    }
}
