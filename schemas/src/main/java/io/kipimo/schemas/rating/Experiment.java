package io.kipimo.schemas.rating;

import java.util.List;

/**
 * A command to load generators. Rating, number and step identify it.
 *
 * @param generators in the order of their shares; empty in step ROLL_CALL
 * @param amount load of all generators together: requests per second, or users
 * @param thinkMillis mean think time, closed loads only
 * @param boundMicros latency bound
 * @param issuedAtMillis epoch milliseconds
 * @param previous counts of the previous experiment, for targets whose state is restored from them
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
    /** The same experiment with this step. */
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
