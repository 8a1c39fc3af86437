package io.kipimo.core.rating;

import java.util.List;

/**
 * Noise of readings, from experiments at one load, and what it costs.
 *
 * @param noise standard deviation of a reading, as a fraction of it
 * @param readings it was found from; from two of them it may be off by a factor of two or more
 * @param experimentsNeeded about how many a search will need beside its climb
 */
public record NoiseCheck(double noise, int readings, long experimentsNeeded) {
    /** Standard deviations within which the peak must be known; as the search's. */
    private static final double SURE = 4;

    /**
     * Readings at 0.5 and 1.5 times the peak, where a parabola has 0.75 of its height, give the
     * peak's load with this variance for each pair, in units of the noise squared.
     */
    private static final double VARIANCE_OF_PAIR = 2 * 0.75 * 0.75 / 4;

    /**
     * From experiments that should have told the same.
     *
     * @param equal at one load, two or more, none void
     * @param accuracy fraction of the rating that may be missed, more than 0
     */
    public static NoiseCheck of(List<Reading> equal, double accuracy) {
        if (equal.size() < 2 || equal.stream().mapToLong(Reading::load).distinct().count() > 1) {
            throw new IllegalArgumentException(
                    "readings are " + equal + "; allowed: two or more of one load");
        }
        if (equal.stream().anyMatch(r -> r.verdict() == Verdict.VOID)) {
            throw new IllegalArgumentException(
                    "readings are " + equal + "; allowed: such that are not void");
        }
        if (!(accuracy > 0)) {
            throw new IllegalArgumentException(
                    "accuracy is " + accuracy + "; allowed: more than 0");
        }
        double mean = equal.stream().mapToDouble(Reading::throughput).average().orElseThrow();
        double squares = 0;
        for (Reading reading : equal) {
            squares += (reading.throughput() - mean) * (reading.throughput() - mean);
        }
        double deviation = Math.sqrt(squares / (equal.size() - 1));
        double noise = mean == 0 ? 0 : deviation / mean;
        double pairs = SURE * SURE * VARIANCE_OF_PAIR * noise * noise / accuracy;
        return new NoiseCheck(noise, equal.size(), (long) Math.ceil(3 * Math.max(1, pairs)));
    }

    /** Whether a search can decide with so many experiments; if not, it is better not begun. */
    public boolean decidable(int mostExperiments) {
        return noise <= 0.5 && experimentsNeeded <= mostExperiments;
    }
}
