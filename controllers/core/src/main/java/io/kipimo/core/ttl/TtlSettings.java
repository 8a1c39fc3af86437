package io.kipimo.core.ttl;

import java.util.OptionalDouble;

/**
 * How times to live are chosen.
 *
 * @param changeProbability p, that a first time to live sees a write before it runs out, 0..1
 *     exclusive; 1 - 1/e gives the mean time between writes
 * @param smoothing alpha, the weight of the old estimate when an invalidation teaches a new one,
 *     0..1
 * @param shortestMillis least that is handed out
 * @param longestMillis most that is handed out
 * @param forgetAfterMillis without a read, a query is forgotten
 * @param lossBudget if there, times are chosen so that a read loses no more quality on average,
 *     0..1, and {@code changeProbability} counts for nothing
 */
public record TtlSettings(
        double changeProbability,
        double smoothing,
        long shortestMillis,
        long longestMillis,
        long forgetAfterMillis,
        OptionalDouble lossBudget) {
    /** The median of the time to the next write; a second to an hour. */
    public static final TtlSettings DEFAULT =
            new TtlSettings(0.5, 0.7, 1000, 3_600_000, 7_200_000, OptionalDouble.empty());

    /**
     * @throws IllegalArgumentException if a value is out of range
     */
    public TtlSettings {
        if (!(changeProbability > 0 && changeProbability < 1)) {
            throw new IllegalArgumentException(
                    "change probability is " + changeProbability + "; allowed: between 0 and 1");
        }
        if (!(smoothing >= 0 && smoothing <= 1)) {
            throw new IllegalArgumentException("smoothing is " + smoothing + "; allowed: 0..1");
        }
        if (shortestMillis < 0 || longestMillis < shortestMillis || longestMillis == 0) {
            throw new IllegalArgumentException(
                    "times to live are "
                            + shortestMillis
                            + ".."
                            + longestMillis
                            + " ms; allowed: 0 <= shortest <= longest, longest above 0");
        }
        if (forgetAfterMillis < longestMillis) {
            throw new IllegalArgumentException(
                    "forget after is "
                            + forgetAfterMillis
                            + " ms; allowed: at least the longest time to live, "
                            + longestMillis);
        }
        if (lossBudget.isPresent()
                && !(lossBudget.getAsDouble() > 0 && lossBudget.getAsDouble() <= 1)) {
            throw new IllegalArgumentException(
                    "loss budget is " + lossBudget.getAsDouble() + "; allowed: above 0, up to 1");
        }
    }
}
