package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;

/**
 * Parameters of the search.
 *
 * @param climb factor by which the load rises, 2..1000
 * @param epsilon for GOLDEN and APPROXIMATE: least relative difference by which a throughput counts as higher, 0..1
 * @param accuracy for ADAPTIVE: greatest relative error of the rating, 1e-6..0.1
 * @param highestLoad highest load that may be tried, in units of load, 1..2^40
 * @param mostExperiments greatest number of experiments, 1..10,000
 */
@WithBuilder
public record SearchTerms(
        RatingTechnique technique,
        @Range(least = 2, most = 1_000) int climb,
        @Range(most = 1) double epsilon,
        @Range(least = 1e-6, most = 0.1) double accuracy,
        @Range(least = 1, most = SearchTerms.MOST_LOAD) long highestLoad,

        @Range(least = 1, most = SearchTerms.MOST_EXPERIMENTS)
        int mostExperiments) {
    public static final long MOST_LOAD = 1L << 40;
    public static final int MOST_EXPERIMENTS = 10_000;

    /** An accuracy of 0.1 %, any load, and at most 100 experiments. */
    public static SearchTerms of(RatingTechnique technique, int climb) {
        return new SearchTerms(technique, climb, 0, 0.001, MOST_LOAD, 100);
    }
}
