package io.kipimo.core.replication;

import io.kipimo.schemas.field.WithBuilder;
import java.util.List;

/**
 * Limits of feasible factors.
 *
 * @param maximumCollision P_max: greatest collision probability of tier-1 requests at any tier, 0..1
 * @param maximumUtilisation of servers and of tokens, above 0, at most 1. The paper has 1; less leaves a margin for
 *     errors of the estimate
 * @param extraLoadShare most work that copies may add to that of first copies, as a share of the capacity of all tiers,
 *     0..1; 1: limited by stability only
 * @param maximumFactors one a tier, at least 1; empty: as many as there are servers
 */
@WithBuilder
public record FeasibilityLimits(
        double maximumCollision, double maximumUtilisation, double extraLoadShare, List<Integer> maximumFactors)
        implements FeasibilityLimitsBuilder.With {
    /** As published: P_max 0.5, stability alone. */
    public static final FeasibilityLimits PUBLISHED = new FeasibilityLimits(0.5, 1, 1);

    /** Limits without bounds of the single factors. */
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

    /** The bound of a tier's factor; {@link Integer#MAX_VALUE}: none but its servers. */
    int maximumFactor(int tier) {
        return tier < maximumFactors.size() ? maximumFactors.get(tier) : Integer.MAX_VALUE;
    }

    static void share(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: 0..1");
        }
    }
}
