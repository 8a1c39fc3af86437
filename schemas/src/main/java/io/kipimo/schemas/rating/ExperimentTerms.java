package io.kipimo.schemas.rating;

/**
 * How each experiment is run.
 *
 * @param unit requests a second, or users, of one unit of load; more than 0
 * @param thinkMillis mean, between the answer to a user and his next request; closed loads only
 * @param warmUpMillis Upsilon: before what is measured
 * @param millis delta: what is measured of an experiment
 * @param noiseReadings equal experiments before the search; 0: none
 * @param earlyStopError probability that an experiment that is ended early errs, 0..0.1; 0: none is
 * @param generators that share the load, 1..1000
 * @param patienceMillis a generator that says nothing for so long is lost
 */
public record ExperimentTerms(
        LoadModel model,
        double unit,
        long thinkMillis,
        long warmUpMillis,
        long millis,
        int noiseReadings,
        double earlyStopError,
        int generators,
        long patienceMillis,
        long seed) {
    public static final int MOST_GENERATORS = 1_000;
}
