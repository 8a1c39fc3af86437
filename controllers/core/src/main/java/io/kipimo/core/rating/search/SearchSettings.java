package io.kipimo.core.rating.search;

import io.kipimo.core.control.Bounds;
import java.util.Objects;

/**
 * Settings of a search.
 *
 * @param climb factor r by which the load rises in the climb, 2 or more
 * @param epsilon golden and approximate: fraction by which a throughput must be higher to count as
 *     higher, 0..1
 * @param accuracy adaptive: fraction of the rating that may be missed, 1e-6..0.1
 * @param highestLoad highest load to impose, 1 or more
 * @param mostExperiments number of experiments after which the search ends with the best so far,
 *     1..10,000
 */
public record SearchSettings(
        Technique technique,
        int climb,
        double epsilon,
        double accuracy,
        long highestLoad,
        int mostExperiments) {
    /** Bound below which sums and squares of loads keep their precision. */
    public static final long MOST_LOAD = 1L << 40;

    private static final double ACCURACY = 0.001;
    private static final int MOST_EXPERIMENTS = 100;

    public SearchSettings {
        Objects.requireNonNull(technique, "technique");
        Bounds.within("climb", climb, 2, 1_000);
        Bounds.within("epsilon", epsilon, 0, 1);
        Bounds.within("accuracy", accuracy, 1e-6, 0.1);
        Bounds.within("highestLoad", (double) highestLoad, 1, (double) MOST_LOAD);
        Bounds.within("mostExperiments", mostExperiments, 1, 10_000);
    }

    /** Settings with an accuracy of 0.1 % and with any load up to {@link #MOST_LOAD}. */
    public static SearchSettings of(Technique technique, int climb) {
        return new SearchSettings(technique, climb, 0, ACCURACY, MOST_LOAD, MOST_EXPERIMENTS);
    }

    public SearchSettings withEpsilon(double newEpsilon) {
        return new SearchSettings(
                technique, climb, newEpsilon, accuracy, highestLoad, mostExperiments);
    }

    public SearchSettings withAccuracy(double newAccuracy) {
        return new SearchSettings(
                technique, climb, epsilon, newAccuracy, highestLoad, mostExperiments);
    }

    public SearchSettings withLimits(long newHighestLoad, int newMostExperiments) {
        return new SearchSettings(
                technique, climb, epsilon, accuracy, newHighestLoad, newMostExperiments);
    }
}
