package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.Distinct;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * A command to load generators. Rating, number and step identify it.
 *
 * @param generators names of the generators, in the order of their shares of the load; empty in step ROLL_CALL
 * @param amount load of all generators together: requests per second, or users
 * @param thinkMillis mean think time, closed loads only
 * @param boundMicros latency bound
 * @param issuedAtMillis epoch milliseconds
 * @param previous counts of the previous experiment, for targets whose state is restored from them
 */
@WithBuilder
public record Experiment(
        @Name String ratingId,
        @Range(least = 1, most = RatingTrial.MOST) int number,
        ExperimentStep step,
        @Text String target,

        @Initializer(source = List.class, value = "of") @Text @Distinct @Size(most = ExperimentTerms.MOST_GENERATORS)
        List<String> generators,

        LoadModel model,
        @Range(most = 1e15) double amount,
        @Range(most = Range.LONGEST_MICROS / 1000) long thinkMillis,
        @Range(most = Range.LONGEST_MICROS / 1000) long warmUpMillis,

        @Range(least = 1, most = Range.LONGEST_MICROS / 1000)
        long millis,

        @Range(least = 1, most = Range.LONGEST_MICROS) long boundMicros,

        @Range(least = Long.MIN_VALUE, most = Long.MAX_VALUE)
        long seed,

        @Range(least = 1, most = Range.LATEST_MILLIS) long issuedAtMillis,
        ExperimentCounts previous) {
    /** This experiment with this step. */
    public Experiment at(ExperimentStep next, long nowMillis) {
        return ExperimentBuilder.builder(this)
                .step(next)
                .issuedAtMillis(nowMillis)
                .build();
    }
}
