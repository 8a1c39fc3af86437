package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * Quality of one answer by one similarity function: an interval within 0..1, with {@code low <= high}. Its ends are
 * equal unless the measurement is {@link Completeness#EXPIRED}.
 */
public record Score(
        @Name String metric,
        @Range(most = 1) double low,
        @Range(leastOf = "low", most = 1) double high) {
    public Score {
        if (!(low >= 0 && low <= high && high <= 1)) {
            throw new IllegalArgumentException(
                    "score " + metric + " is [" + low + ", " + high + "]; allowed: 0 <= low <= high <= 1");
        }
    }
}
