package io.kipimo.core.ttl;

import java.io.Serializable;

/**
 * Settings for choosing times to live.
 *
 * @param changeProbability p: probability of a write before a first time to live ends, 0..1 exclusive; 1 - 1/e gives
 *     the mean time between writes
 * @param smoothing alpha: weight of the old estimate in the update after an invalidation, 0..1
 * @param shortestMillis shortest time to live to hand out
 * @param longestMillis longest time to live to hand out
 * @param forgetAfterMillis time without a read after which a query is forgotten
 * @param lossBudget greatest mean loss of quality of a read, 0..1. Above 0, {@code changeProbability} has no effect; 0:
 *     there is no budget
 */
public record TtlSettings(
        double changeProbability,
        double smoothing,
        long shortestMillis,
        long longestMillis,
        long forgetAfterMillis,
        double lossBudget)
        implements Serializable {
    /**
     * A time to live is the median time to the next write, but at least a second and at most an hour. There is no loss
     * budget.
     */
    public static final TtlSettings DEFAULT = new TtlSettings(0.5, 0.7, 1000, 3_600_000, 7_200_000, 0);

    /** @throws IllegalArgumentException if a value is out of range */
    public TtlSettings {
        if (!(changeProbability > 0 && changeProbability < 1)) {
            throw new IllegalArgumentException(
                    "change probability is " + changeProbability + "; allowed: between 0 and 1");
        }
        if (!(smoothing >= 0 && smoothing <= 1)) {
            throw new IllegalArgumentException("smoothing is " + smoothing + "; allowed: 0..1");
        }
        if (shortestMillis < 0 || longestMillis < shortestMillis || longestMillis == 0) {
            throw new IllegalArgumentException("times to live are "
                    + shortestMillis
                    + ".."
                    + longestMillis
                    + " ms; allowed: 0 <= shortest <= longest, longest above 0");
        }
        if (forgetAfterMillis < longestMillis) {
            throw new IllegalArgumentException("forget after is "
                    + forgetAfterMillis
                    + " ms; allowed: at least the longest time to live, "
                    + longestMillis);
        }
        if (!(lossBudget >= 0 && lossBudget <= 1)) {
            throw new IllegalArgumentException("loss budget is " + lossBudget + "; allowed: 0..1");
        }
    }
}
