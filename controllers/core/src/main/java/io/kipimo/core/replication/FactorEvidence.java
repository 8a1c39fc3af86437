package io.kipimo.core.replication;

import io.kipimo.schemas.field.WithBuilder;
import java.util.OptionalDouble;

/**
 * The figures of a trial's evaluation, microseconds of the target.
 *
 * @param from proven factors
 * @param to factors that were tried
 * @param baselineRequests measured under {@code from}
 * @param trialRequests measured under {@code to}
 * @param changeMicros {@code trialMicros - baselineMicros}, below 0: the trial is better
 * @param lowMicros end of the change's interval
 * @param highMicros end of the change's interval
 * @param predictedMicros change that the model predicted; empty: no prediction
 */
@WithBuilder
public record FactorEvidence(
        Factors from,
        Factors to,
        long baselineRequests,
        long trialRequests,
        double baselineMicros,
        double trialMicros,
        double changeMicros,
        double lowMicros,
        double highMicros,
        OptionalDouble predictedMicros) {

    /** Whether the model's prediction lies outside the measured interval: the model is wrong. */
    public boolean disagrees() {
        return predictedMicros.isPresent()
                && (predictedMicros.getAsDouble() < lowMicros
                        || predictedMicros.getAsDouble() > highMicros);
    }
}
