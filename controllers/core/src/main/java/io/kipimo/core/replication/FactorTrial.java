package io.kipimo.core.replication;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A trial of other factors on live traffic.
 *
 * @param from proven factors
 * @param to tried factors: one or more copies more, or one copy less
 * @param startedMillis processing time, epoch milliseconds
 * @param measured measurements since the trial settled
 * @param predictedMicros change of the target that the model predicts; empty: no prediction
 */
record FactorTrial(
        Factors from, Factors to, long startedMillis, MeasuredFactors measured, OptionalDouble predictedMicros) {
    FactorTrial with(MeasuredFactors newMeasured) {
        return new FactorTrial(from, to, startedMillis, newMeasured, predictedMicros);
    }

    boolean raises() {
        return to.copies() > from.copies();
    }

    /** The tier that has one copy more or less; empty if the trial changes more than one copy. */
    OptionalInt step() {
        for (int tier = 0; tier < from.tiers(); tier++) {
            int difference = to.at(tier) - from.at(tier);
            if (difference != 0) {
                return Math.abs(to.copies() - from.copies()) == 1 ? OptionalInt.of(tier) : OptionalInt.empty();
            }
        }
        return OptionalInt.empty();
    }
}
