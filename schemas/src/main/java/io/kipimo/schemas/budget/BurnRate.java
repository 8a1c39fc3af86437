package io.kipimo.schemas.budget;

import io.kipimo.schemas.field.Range;

/**
 * Ratio of the quality lost in a window to the quality that may be lost in it. At 1, the budget lasts exactly its
 * period. {@code 0 <= low <= rate <= high}.
 *
 * @param samples number of measured queries; 0: the rates are unknown and set to 0
 */
public record BurnRate(
        @Range(least = 1, most = ErrorBudget.LONGEST_PERIOD_MILLIS)
        long windowMillis,

        @Range(most = BurnRate.FASTEST) double low,
        @Range(leastOf = "low", most = BurnRate.FASTEST) double rate,
        @Range(leastOf = "rate", most = BurnRate.FASTEST) double high,
        long answered,
        int samples) {
    /** Upper bound of rates. With an objective of 1 nothing may be lost, and the true rate is infinite. */
    public static final double FASTEST = 1e9;
}
