package io.kipimo.core.rating.search;

import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.Verdict;
import java.util.List;

/**
 * Noise of readings, from experiments at one load, and the experiments that it costs the adaptive
 * search.
 *
 * @param noise standard deviation of a reading, as a fraction of it
 * @param readings number of readings; with only two, the noise may be wrong by a factor of two or
 *     more
 * @param experimentsNeeded approximate number of experiments of the search, without its climb, for
 *     a target that a parabola describes; more for other targets, and twice as many at 20 % noise
 */
public record NoiseCheck(double noise, int readings, long experimentsNeeded) {
    /** Throughput per unit of load half-way to the peak, as a share of that at the origin. */
    private static final double HALF_WAY = 0.75;

    /**
     * A reading half-way and one near the end of a {@link FallingLine} give the peak's load with
     * this variance, in units of the noise squared.
     */
    private static final double VARIANCE_OF_PAIR =
            2
                    * Math.pow(
                            HALF_WAY
                                    * FallingLine.LEAST_SHARE
                                    / (HALF_WAY - FallingLine.LEAST_SHARE),
                            2);

    /**
     * Estimates noise from equal experiments.
     *
     * @param equal readings of one load, two or more, none void
     * @param accuracy fraction of the rating that may be missed, more than 0
     */
    public static NoiseCheck of(List<ExperimentReading> equal, double accuracy) {
        if (equal.size() < 2
                || equal.stream().mapToLong(ExperimentReading::load).distinct().count() > 1) {
            throw new IllegalArgumentException(
                    "readings are " + equal + "; allowed: two or more of one load");
        }
        if (equal.stream().anyMatch(r -> r.verdict() == Verdict.VOID)) {
            throw new IllegalArgumentException("readings are " + equal + "; allowed: no void ones");
        }
        if (!(accuracy > 0)) {
            throw new IllegalArgumentException(
                    "accuracy is " + accuracy + "; allowed: more than 0");
        }
        double mean =
                equal.stream().mapToDouble(ExperimentReading::throughput).average().orElseThrow();
        double squares = 0;
        for (ExperimentReading reading : equal) {
            squares += (reading.throughput() - mean) * (reading.throughput() - mean);
        }
        double deviation = Math.sqrt(squares / (equal.size() - 1));
        double noise = mean == 0 ? 0 : deviation / mean;
        double sure = Parabola.SURE * noise;
        double pairs = Math.max(1, sure * sure * VARIANCE_OF_PAIR / accuracy);
        // One more experiment at the peak itself.
        return new NoiseCheck(noise, equal.size(), (long) Math.ceil(2 * pairs) + 1);
    }

    /** Whether a search can reach a result with at most {@code mostExperiments}. */
    public boolean decidable(int mostExperiments) {
        return noise <= 0.5 && experimentsNeeded <= mostExperiments;
    }
}
