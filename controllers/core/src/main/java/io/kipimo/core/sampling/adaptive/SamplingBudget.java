package io.kipimo.core.sampling.adaptive;

import java.util.OptionalDouble;

/**
 * What there is to spare for measuring.
 *
 * @param leastAdmitted smallest admitted fraction of any class, 0..1; 1: nothing is shed
 * @param utilisation of the service, 0..1; empty: unknown
 */
public record SamplingBudget(double leastAdmitted, OptionalDouble utilisation) {
    /** Nothing is shed and nothing else is known. */
    public static final SamplingBudget AMPLE = new SamplingBudget(1, OptionalDouble.empty());

    private static final double WELL_BELOW_ALL = 0.9;
    private static final double BUSY = 0.8;

    /** Whether measuring must give way: lower classes are being shed, or the service is busy. */
    public boolean isSpent() {
        return leastAdmitted < WELL_BELOW_ALL
                || (utilisation.isPresent() && utilisation.getAsDouble() > BUSY);
    }
}
