package io.kipimo.core.rating;

/**
 * Thresholds from which a rating is stale.
 *
 * @param profileMillis length of a profile, 1,000 or more
 * @param mostMixShift share of the requests that may have moved to other classes, 0..1
 * @param mostCapacityChange fraction by which the capacity of a tier may rise or fall, more than 0
 * @param mostVariabilityChange fraction by which the latencies' coefficient of variation may rise or fall, more than 0
 */
public record DriftSettings(
        long profileMillis, double mostMixShift, double mostCapacityChange, double mostVariabilityChange) {
    public static final DriftSettings DEFAULT = new DriftSettings(600_000, 0.1, 0.2, 0.5);

    public DriftSettings {
        if (profileMillis < 1_000) {
            throw new IllegalArgumentException("profileMillis is " + profileMillis + "; allowed: 1000 or more");
        }
        if (!(mostMixShift >= 0 && mostMixShift <= 1)) {
            throw new IllegalArgumentException("mostMixShift is " + mostMixShift + "; allowed: 0..1");
        }
        if (!(mostCapacityChange > 0) || !(mostVariabilityChange > 0)) {
            throw new IllegalArgumentException(
                    "changes are " + mostCapacityChange + " and " + mostVariabilityChange + "; allowed: more than 0");
        }
    }
}
