package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Range;

/** A 95 % confidence interval of a mean quality: fractions, {@code 0 <= low <= mean <= high <= 1}. */
public record Estimate(
        @Range(most = 1) double low,
        @Range(leastOf = "low", most = 1) double mean,
        @Range(leastOf = "mean", most = 1) double high) {
    public Estimate {
        if (!(low >= 0 && low <= mean && mean <= high && high <= 1)) {
            throw new IllegalArgumentException(
                    "estimate is " + low + " <= " + mean + " <= " + high + "; allowed: ascending within 0..1");
        }
    }

    /** Half the width of the interval. */
    public double halfWidth() {
        return (high - low) / 2;
    }
}
