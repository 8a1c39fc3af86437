package io.kipimo.schemas.budget;

import io.kipimo.schemas.field.Range;

/**
 * Lost quality over allowed lost quality: at 1 the budget lasts exactly its period. {@code 0 <= low <= rate <= high}.
 *
 * @param samples measured queries; 0: unknown, and the three rates are 0
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
