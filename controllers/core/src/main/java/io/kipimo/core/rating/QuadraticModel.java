package io.kipimo.core.rating;

/**
 * A service whose throughput at load T is y = -T^2 + bT with b = 2 sqrt(rating). It peaks at T = sqrt(rating) with y =
 * rating (sec. 2.3). A load with throughput 0 fails.
 *
 * @param rating 1 to 1e15, so that a double represents every load exactly
 * @param highestPassing load above which the agreement breaks, 1 or more; {@link Long#MAX_VALUE}: it holds at every
 *     load with throughput
 */
public record QuadraticModel(double rating, long highestPassing) implements RatedServiceModel {
    public static final double MOST_RATING = 1e15;

    public QuadraticModel {
        if (!(rating >= 1 && rating <= MOST_RATING)) {
            throw new IllegalArgumentException("rating is " + rating + "; allowed: 1.." + MOST_RATING);
        }
        if (highestPassing < 1) {
            throw new IllegalArgumentException("highestPassing is " + highestPassing + "; allowed: 1 or more");
        }
    }

    /** A model whose agreement holds at every load with throughput. */
    public static QuadraticModel of(double rating) {
        return new QuadraticModel(rating, Long.MAX_VALUE);
    }

    @Override
    public ExperimentReading at(long load) {
        double throughput = Math.max(0, load * (2 * Math.sqrt(rating) - load));
        boolean passes = throughput > 0 && load <= highestPassing;
        return new ExperimentReading(load, throughput, passes ? Verdict.PASSED : Verdict.FAILED);
    }

    /** The highest throughput at a passing whole load, which is the best possible search result. */
    public double best() {
        long below = Math.max(1, Math.min(highestPassing, (long) Math.floor(Math.sqrt(rating))));
        long above = Math.min(highestPassing, below + 1);
        return Math.max(at(below).throughput(), at(above).throughput());
    }
}
