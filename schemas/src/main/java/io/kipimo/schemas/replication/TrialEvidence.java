package io.kipimo.schemas.replication;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;
import java.util.List;
import java.util.Optional;

/**
 * Figures by which a trial is judged. Times are microseconds of the target latency.
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
        @Range(least = 1, most = TierFactor.MOST) List<Integer> from,
        @Range(least = 1, most = TierFactor.MOST) List<Integer> to,
        long baselineRequests,
        long trialRequests,
        @Range(most = 10 * Range.LONGEST_MICROS) double baselineMicros,
        @Range(most = 10 * Range.LONGEST_MICROS) double trialMicros,

        @Range(least = -Range.LONGEST_MICROS, leastOf = "lowMicros", most = 10 * Range.LONGEST_MICROS)
        double changeMicros,

        @Range(least = -Range.LONGEST_MICROS, most = 10 * Range.LONGEST_MICROS)
        double lowMicros,

        @Range(least = -Range.LONGEST_MICROS, leastOf = "changeMicros", most = 10 * Range.LONGEST_MICROS)
        double highMicros,

        @Range(least = -Range.LONGEST_MICROS, most = 10 * Range.LONGEST_MICROS)
        Optional<Double> predictedMicros) {}
