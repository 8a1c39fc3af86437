package io.kipimo.core.quality.estimate;

import io.kipimo.schemas.quality.Estimate;
import java.util.Optional;

/**
 * The mean quality of the samples, as Ubora (sec. 8) reports it. It serves for comparison with
 * {@link StratifiedEstimator}. Its interval is a t interval with the same two pseudo-observations as in that class.
 */
public final class PlainEstimator {
    private PlainEstimator() {}

    /** The estimate of a window; empty without samples. */
    public static Optional<Estimate> estimate(StratumCounts counts) {
        if (counts.samples() == 0) {
            return Optional.empty();
        }
        int clean = counts.cleanSamples();
        StratumSums cleanSums = new StratumSums(clean, clean, clean);
        StratumSums low = counts.degradedLow().plus(cleanSums);
        StratumSums high = counts.degradedHigh().plus(cleanSums);
        double mean = low.mean();
        return Optional.of(new Estimate(
                Math.max(0, Math.min(mean, end(low, -1))), mean, Math.min(1, Math.max(mean, end(high, 1)))));
    }

    private static double end(StratumSums samples, int side) {
        StratumSums guarded = samples.add(0).add(1);
        double standardError = guarded.standardDeviation() / Math.sqrt(guarded.count());
        return guarded.mean() + side * StudentT.quantile975(guarded.count() - 1) * standardError;
    }
}
