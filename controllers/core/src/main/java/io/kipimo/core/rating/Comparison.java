package io.kipimo.core.rating;

import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Performance of a search technique on a model. The quadratic model is the one of the paper's figures 4 to 6 and table
 * 3.
 *
 * @param rating true rating, requests a second
 * @param climb climbing factor
 * @param experiments mean number of experiments over all runs
 * @param worstError largest relative shortfall of a found rating from the true one
 * @param accurate share of the runs with an error of at most 0.1 %
 */
public record Comparison(
        double rating, int climb, RatingTechnique technique, double experiments, double worstError, double accurate) {
    /** True ratings in the paper's figures. */
    public static final List<Double> RATINGS = List.of(100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8);

    public static final List<Integer> CLIMBS = List.of(2, 4, 10);

    private static final double ACCURATE = 0.001;

    /**
     * Compares the techniques on the quadratic model: every rating with every climbing factor and technique, in this
     * order.
     *
     * @param noise standard deviation of a reading, as a fraction of it, 0..0.5
     * @param runs runs with different noise, 1 or more; one is enough without noise
     * @param seed seed of the first run
     */
    public static List<Comparison> all(double noise, int runs, long seed) {
        return all(CurveFamily.QUADRATIC, noise, runs, seed);
    }

    /** Compares the techniques on services of {@code family}, which peak at a load of the square root of the rating. */
    public static List<Comparison> all(CurveFamily family, double noise, int runs, long seed) {
        List<Comparison> all = new ArrayList<>();
        for (double rating : RATINGS) {
            for (int climb : CLIMBS) {
                for (RatingTechnique technique : Search.TECHNIQUES) {
                    SearchTerms settings = SearchTerms.of(technique, climb);
                    all.add(of(family, settings, rating, noise, runs, seed));
                }
            }
        }
        return all;
    }

    private static Comparison of(
            CurveFamily family, SearchTerms settings, double rating, double noise, int runs, long seed) {
        RatedServiceModel model = family.model(rating, Math.sqrt(rating), Long.MAX_VALUE);
        double experiments = 0;
        double worst = 0;
        double accurate = 0;
        for (int run = 0; run < runs; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            SearchResult found = DryRun.noisy(settings, model, noise, random).rating();
            double reached = found.load() == 0 ? 0 : model.at(found.load()).throughput();
            double error = (rating - reached) / rating;
            experiments += found.experiments();
            worst = Math.max(worst, error);
            accurate += error <= ACCURATE ? 1 : 0;
        }
        return new Comparison(
                rating, settings.climb(), settings.technique(), experiments / runs, worst, accurate / runs);
    }
}
