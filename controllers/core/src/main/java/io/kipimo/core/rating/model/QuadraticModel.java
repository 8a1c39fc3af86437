package io.kipimo.core.rating.model;

import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.Verdict;

/**
 * Throughput y = -T^2 + bT with b = 2 sqrt(rating), so that it peaks at T = sqrt(rating) with y =
 * rating (sec. 2.3). A load at which nothing would be served fails.
 *
 * @param rating 1 to 1e15, so that loads are whole numbers to a double
 * @param highestPassing load above which the agreement breaks, 1 or more; {@link Long#MAX_VALUE}:
 *     it never breaks while anything is served
 */
public record QuadraticModel(double rating, long highestPassing) implements RatedServiceModel {
    public static final double MOST_RATING = 1e15;

    public QuadraticModel {
        if (!(rating >= 1 && rating <= MOST_RATING)) {
            throw new IllegalArgumentException(
                    "rating is " + rating + "; allowed: 1.." + MOST_RATING);
        }
        if (highestPassing < 1) {
            throw new IllegalArgumentException(
                    "highestPassing is " + highestPassing + "; allowed: 1 or more");
        }
    }

    /** One whose agreement does not break before nothing is served. */
    public static QuadraticModel of(double rating) {
        return new QuadraticModel(rating, Long.MAX_VALUE);
    }

    @Override
    public ExperimentReading at(long load) {
        double throughput = Math.max(0, load * (2 * Math.sqrt(rating) - load));
        boolean passes = throughput > 0 && load <= highestPassing;
        return new ExperimentReading(load, throughput, passes ? Verdict.PASSED : Verdict.FAILED);
    }

    /** The highest throughput at a whole load that passes: what a search can find at best. */
    public double best() {
        long below = Math.max(1, Math.min(highestPassing, (long) Math.floor(Math.sqrt(rating))));
        long above = Math.min(highestPassing, below + 1);
        return Math.max(at(below).throughput(), at(above).throughput());
    }
}
