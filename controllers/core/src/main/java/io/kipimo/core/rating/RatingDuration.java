package io.kipimo.core.rating;

/** Duration of a rating (sec. 6.1, equation 1). */
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
}
