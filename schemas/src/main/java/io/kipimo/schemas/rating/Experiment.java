package io.kipimo.schemas.rating;

import java.util.List;

/**
 * A command to load generators; rating, number and step identify it.
 *
 * @param generators in the order of their shares; empty in a roll call
 * @param amount of all generators together: requests a second, or users
 * @param thinkMillis mean think time of closed loads
 * @param boundMicros within which answers are to come
 * @param issuedAtMillis epoch milliseconds
 * @param previous what the experiment before counted, for targets that restore by it
 */
public record Experiment(
        String ratingId,
        int number,
        ExperimentStep step,
        String target,
        List<String> generators,
        LoadModel model,
        double amount,
        long thinkMillis,
        long warmUpMillis,
        long millis,
        long boundMicros,
        long seed,
        long issuedAtMillis,
        ExperimentCounts previous) {
    /** The same experiment, another step of it. */
    public Experiment at(ExperimentStep next, long nowMillis) {
        return new Experiment(
                ratingId,
                number,
                next,
                target,
                generators,
                model,
                amount,
                thinkMillis,
                warmUpMillis,
                millis,
                boundMicros,
                seed,
                nowMillis,
                previous);
    }
}
