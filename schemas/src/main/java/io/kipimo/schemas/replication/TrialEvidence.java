package io.kipimo.schemas.replication;

import java.util.List;
import java.util.Optional;

/**
 * The figures that a trial is judged on, microseconds of the target.
 *
 * @param from proven factors, one a tier
 * @param to factors that are tried
 * @param baselineRequests measured under {@code from}
 * @param trialRequests measured under {@code to}
 * @param changeMicros {@code trialMicros - baselineMicros}, below 0 for the better
 * @param lowMicros end of the change's interval
 * @param highMicros end of the change's interval
 * @param predictedMicros change that the model predicted; empty: it could not tell
 */
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
        Optional<Double> predictedMicros) {}
