package io.kipimo.schemas.quality;

/**
 * Quality of one answer by one similarity function, fractions 0..1 with {@code low <= high}; equal
 * unless the measurement is {@link Completeness#EXPIRED}.
 */
public record Score(String metric, double low, double high) {
    public Score {
        if (!(low >= 0 && low <= high && high <= 1)) {
            throw new IllegalArgumentException(
                    "score "
                            + metric
                            + " is ["
                            + low
                            + ", "
                            + high
                            + "]; allowed: 0 <= low <= high <= 1");
        }
    }
}
