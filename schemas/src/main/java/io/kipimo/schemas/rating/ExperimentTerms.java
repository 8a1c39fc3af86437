package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;

/**
 * Parameters of each experiment.
 *
 * @param unit requests per second, or users, in one unit of load; above 0
 * @param thinkMillis mean think time of users, closed loads only
 * @param warmUpMillis Upsilon: warm-up before the measured time
 * @param millis delta: measured time of an experiment
 * @param noiseReadings number of equal experiments before the search, to measure noise; 0: none
 * @param earlyStopError error probability of an experiment that is ended early, 0..0.1; 0: no experiment is ended early
 * @param generators number of generators that share the load, 1..1000
 * @param patienceMillis time without reports after which a generator counts as lost, milliseconds
 */
@WithBuilder
public record ExperimentTerms(
        LoadModel model,
        @Range(least = 1e-6, most = 1e15) double unit,
        @Range(most = Range.LONGEST_MICROS / 1000) long thinkMillis,
        @Range(most = Range.LONGEST_MICROS / 1000) long warmUpMillis,

        @Range(least = 1, most = Range.LONGEST_MICROS / 1000)
        long millis,

        @Range(most = 100) int noiseReadings,
        @Range(most = 0.1) double earlyStopError,

        @Range(least = 1, most = ExperimentTerms.MOST_GENERATORS)
        int generators,

        @Range(least = 1, most = Range.LONGEST_MICROS / 1000)
        long patienceMillis,

        @Range(least = Long.MIN_VALUE, most = Long.MAX_VALUE)
        long seed) {
    public static final int MOST_GENERATORS = 1_000;
}
