package io.kipimo.core.rating.duration;

/**
 * What the duration of a rating is made of (sec. 6.1, table 2); all times in one unit.
 *
 * @param load zeta: the store is made for the first time
 * @param restore nu: the store is brought back to its first state
 * @param restores omega: how often
 * @param experiments eta: how many
 * @param warmUp Upsilon: before each experiment
 * @param experiment delta: how long each runs
 * @param confirmation Delta: how long the last one runs, as the agreement says
 */
public record RatingCosts(
        double load,
        double restore,
        int restores,
        int experiments,
        double warmUp,
        double experiment,
        double confirmation) {
    public RatingCosts {
        notNegative("load", load);
        notNegative("restore", restore);
        notNegative("restores", restores);
        notNegative("experiments", experiments);
        notNegative("warmUp", warmUp);
        notNegative("experiment", experiment);
        notNegative("confirmation", confirmation);
    }

    private static void notNegative(String field, double value) {
        if (!(value >= 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(
                    field + " is " + value + "; allowed: finite, 0 or more");
        }
    }
}
