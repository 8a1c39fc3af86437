package io.kipimo.core.rating;

/** Duration and speed-up of a rating (sec. 6.1, equations 1 and 2). */
public final class RatingDuration {
    private RatingDuration() {}

    /** Lambda = zeta + omega nu + eta (Upsilon + delta) + (Upsilon + Delta), in the costs' unit. */
    public static double total(RatingCosts costs) {
        return costs.load()
                + costs.restores() * costs.restore()
                + costs.experiments() * (costs.warmUp() + costs.experiment())
                + costs.warmUp()
                + costs.confirmation();
    }

    /**
     * Amdahl's law, S = 1 / ((1 - f) + f / k).
     *
     * @param share f: share of the work that is done faster, 0..1
     * @param factor k: how much faster, more than 0, may be infinite
     */
    public static double speedUp(double share, double factor) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share is " + share + "; allowed: 0..1");
        }
        if (!(factor > 0)) {
            throw new IllegalArgumentException("factor is " + factor + "; allowed: more than 0");
        }
        return 1 / ((1 - share) + share / factor);
    }

    /**
     * Speed-up from restoring the store instead of loading it again, with unchanged experiments: f = omega zeta /
     * Lambda, k = zeta / nu (tables 7 and 9).
     *
     * @param simpleLoad zeta without restores, which may be shorter than with an image
     * @param simpleRestores omega without restores: how often the store is loaded again
     */
    public static double speedUpOfRestoring(RatingCosts costs, double simpleLoad, int simpleRestores) {
        RatingCosts simple = new RatingCosts(
                simpleLoad,
                simpleLoad,
                simpleRestores,
                costs.experiments(),
                costs.warmUp(),
                costs.experiment(),
                costs.confirmation());
        double slow = simpleRestores * simpleLoad;
        double fast = costs.restores() * costs.restore();
        return speedUp(slow / total(simple), slow / fast);
    }

    /**
     * Speed-up from both restoring and experiments shorter than the agreement's duration (table 10). Both shares refer
     * to the total duration without restores and with experiments of length Delta.
     */
    public static double speedUpOfBoth(RatingCosts costs, double simpleLoad, int simpleRestores) {
        RatingCosts simple = new RatingCosts(
                simpleLoad,
                simpleLoad,
                simpleRestores,
                costs.experiments(),
                costs.warmUp(),
                costs.confirmation(),
                costs.confirmation());
        double slow = simpleRestores * simpleLoad + costs.experiments() * (costs.warmUp() + costs.confirmation());
        double fast = costs.restores() * costs.restore() + costs.experiments() * (costs.warmUp() + costs.experiment());
        return speedUp(slow / total(simple), slow / fast);
    }
}
