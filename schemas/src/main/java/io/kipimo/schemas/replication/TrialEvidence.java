package io.kipimo.schemas.replication;

import io.kipimo.schemas.field.WithBuilder;
import java.util.List;
import java.util.Optional;

/**
 * The figures that a trial is judged by, microseconds of the target.
 *
 * @param from proven factors, one per tier
 * @param to factors on trial
 * @param baselineRequests requests measured under {@code from}
 * @param trialRequests requests measured under {@code to}
 * @param changeMicros {@code trialMicros - baselineMicros}; below 0 is an improvement
 * @param lowMicros low end of the change's interval
 * @param highMicros high end of the change's interval
 * @param predictedMicros change predicted by the model; empty: no prediction
 */
@WithBuilder
public record TrialEvidence(
        List<Integer> from,
        List<Integer> to,
        long baselineRequests,
        long trialRequests,
        double baselineMicros,
        double trialMicros,
        double changeMicros,
        double lowMicros,
        double highMicros,
        Optional<Double> predictedMicros) {

    /** Whether the model's prediction lies outside the measured interval: the model is wrong. */
    public boolean disagrees() {
        return predictedMicros.isPresent()
                && (predictedMicros.get() < lowMicros || predictedMicros.get() > highMicros);
    }
}
