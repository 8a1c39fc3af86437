package io.kipimo.core.replication;

import io.kipimo.schemas.field.WithBuilder;
import java.util.List;

/**
 * Limits of feasible factors.
 *
 * @param maximumCollision P_max: greatest collision probability of tier-1 requests at any tier, 0..1
 * @param maximumUtilisation greatest utilisation of servers and of tokens, above 0, at most 1. The paper has 1; less
 *     leaves a margin for errors of the estimate
 * @param extraLoadShare greatest work that further copies may add to the work of first copies, as a share of the
 *     capacity of all tiers, 0..1; 1: only stability limits this work
 * @param maximumFactors greatest factor of each tier, at least 1; empty: the number of servers of the tier
 */
@WithBuilder
public record FeasibilityLimits(
        double maximumCollision, double maximumUtilisation, double extraLoadShare, List<Integer> maximumFactors)
        implements FeasibilityLimitsBuilder.With {
    /** Limits as published: P_max is 0.5, and only stability limits the load. */
    public static final FeasibilityLimits PUBLISHED = new FeasibilityLimits(0.5, 1, 1);

    /** Limits that do not bound the factor of a single tier. */
    public FeasibilityLimits(double maximumCollision, double maximumUtilisation, double extraLoadShare) {
        this(maximumCollision, maximumUtilisation, extraLoadShare, List.of());
    }

    public FeasibilityLimits {
        maximumFactors = List.copyOf(maximumFactors);
        if (maximumFactors.stream().anyMatch(most -> most < 1)) {
            throw new IllegalArgumentException("maximumFactors are " + maximumFactors + "; allowed: each >= 1");
        }
        share("maximumCollision", maximumCollision);
        share("maximumUtilisation", maximumUtilisation);
        share("extraLoadShare", extraLoadShare);
        if (maximumUtilisation == 0) {
            throw new IllegalArgumentException("maximumUtilisation is 0; allowed: above 0..1");
        }
    }

    /** The bound of a tier's factor; {@link Integer#MAX_VALUE} if only the number of its servers bounds it. */
    int maximumFactor(int tier) {
        return tier < maximumFactors.size() ? maximumFactors.get(tier) : Integer.MAX_VALUE;
    }

    static void share(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: 0..1");
        }
    }
}
