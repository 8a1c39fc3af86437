package io.kipimo.core.rating;

/**
 * Parts of the duration of a rating (sec. 6.1, table 2). All times have the same unit.
 *
 * @param load zeta: time to create the store
 * @param restore nu: time to restore the store to its first state
 * @param restores omega: number of restores
 * @param experiments eta: number of experiments
 * @param warmUp Upsilon: warm-up before each experiment
 * @param experiment delta: duration of an experiment
 * @param confirmation Delta: duration of the last experiment, which is the duration of the agreement
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

    /**
     * Duration of the rating, in the unit of the parts: Lambda = zeta + omega nu + eta (Upsilon + delta) + (Upsilon +
     * Delta) (equation 1).
     */
    public double total() {
        return load + restores * restore + experiments * (warmUp + experiment) + warmUp + confirmation;
    }

    private static void notNegative(String field, double value) {
        if (!(value >= 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: finite, 0 or more");
        }
    }
}
