package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
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
@WithBuilder
public record Experiment(
        String ratingId,
        int number,
        ExperimentStep step,
        String target,
        @Initializer(source = List.class, value = "of") List<String> generators,
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
        return ExperimentBuilder.builder(this).step(next).issuedAtMillis(nowMillis).build();
    }
}
