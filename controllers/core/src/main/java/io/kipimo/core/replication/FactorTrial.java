package io.kipimo.core.replication;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Other factors that are being tried on live traffic.
 *
 * @param from proven factors
 * @param to factors that are tried: either copies more, or one copy less
 * @param startedMillis processing time, epoch milliseconds
 * @param measured since it settled
 * @param predictedMicros change of the target that the model predicts; empty: it cannot tell
 */
record FactorTrial(
        Factors from,
        Factors to,
        long startedMillis,
        MeasuredFactors measured,
        OptionalDouble predictedMicros) {
    FactorTrial with(MeasuredFactors newMeasured) {
        return new FactorTrial(from, to, startedMillis, newMeasured, predictedMicros);
    }

    boolean raises() {
        return to.copies() > from.copies();
    }

    /** The tier that has one copy more or less; empty if the trial goes farther than one step. */
    OptionalInt step() {
        for (int tier = 0; tier < from.tiers(); tier++) {
            int difference = to.at(tier) - from.at(tier);
            if (difference != 0) {
                return Math.abs(to.copies() - from.copies()) == 1
                        ? OptionalInt.of(tier)
                        : OptionalInt.empty();
            }
        }
        return OptionalInt.empty();
    }
}
