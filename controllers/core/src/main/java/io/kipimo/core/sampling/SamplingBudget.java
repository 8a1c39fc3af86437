package io.kipimo.core.sampling;

import io.kipimo.core.guard.DecisionReason;
import java.util.OptionalDouble;

/**
 * Capacity that measuring may use.
 *
 * @param leastAdmitted smallest admitted fraction of any class, 0..1; 1: nothing is shed
 * @param utilisation utilisation of the service, 0..1; empty: unknown
 * @param extraLoad late work that measuring causes, as a share of the work for answers; empty: unknown
 */
public record SamplingBudget(double leastAdmitted, OptionalDouble utilisation, OptionalDouble extraLoad) {
    /** Nothing is shed; utilisation and late work are unknown. */
    public static final SamplingBudget AMPLE = new SamplingBudget(1, OptionalDouble.empty(), OptionalDouble.empty());

    private static final double WELL_BELOW_ALL = 0.9;
    private static final double BUSY = 0.8;

    /** Whether, under a decision with this reason, emitters should prefer queries with a time-out. */
    public static boolean isScarce(String reason) {
        return reason.equals(DecisionReason.BUDGET_SPENT.name()) || reason.equals(DecisionReason.EXTRA_LOAD.name());
    }

    /** Whether measuring must be reduced, because lower classes are being shed or the service is busy. */
    public boolean isSpent() {
        return leastAdmitted < WELL_BELOW_ALL || (utilisation.isPresent() && utilisation.getAsDouble() > BUSY);
    }
}
