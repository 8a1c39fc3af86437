package io.kipimo.core.quality.estimate;

import io.kipimo.schemas.quality.Estimate;
import java.util.Optional;

/**
 * Mean quality of all measurable answers of a window, from counts of all answers and a few samples: {@code (N_clean * 1
 * + N_timedOut * mean of the sampled degraded) / N}. The plain mean also estimates the share of time-outs from the
 * sample. Here that share is known (stratification; Cochran, "Sampling Techniques", ch. 5), and only the cost of a
 * time-out is estimated.
 *
 * <p><b>Interval.</b> With n of D degraded answers sampled, only the mean of the other D - n is unknown. A t interval
 * of variance {@code s^2 (1/n + 1/(D - n))} predicts this mean. It is the usual interval with the finite-population
 * correction, and its width is 0 when all are sampled. Qualities are bounded and skewed, and a few equal ones would
 * give an interval of width 0. So the interval, though not the mean, counts two pseudo-observations, one of quality 0
 * and one of 1, as Agresti and Coull do for proportions. Few samples make the interval wide; without samples it is
 * 0..1.
 *
 * <p><b>History.</b> At a sampling rate of 2 %, a control batch of 100 queries has one or two samples, often none of a
 * degraded answer. The cost of a time-out changes more slowly than the share of time-outs. So the mean of earlier
 * samples is a prior for the mean of the batch, with the variance {@code s^2 / n_history + DRIFT^2}. Prior and own
 * samples are weighted by precision. The share of time-outs is always that of the batch alone.
 *
 * <p><b>NOT-ENOUGH.</b> The estimate is empty without measurable answers, or if more than
 * {@value #MAXIMUM_UNSAMPLED_SHARE} of the answers are degraded and neither batch nor history has a degraded sample. At
 * a lower share the quality is within {@code 1 - share..1} even without samples, and its middle is the mean. A window
 * without degraded answers has quality 1.
 *
 * <p><b>Not asked.</b> The deliberate loss is counted for all answers, so it is subtracted. Samples enter without it.
 *
 * <p><b>Weights.</b> If the job sampled a backlog, a sample counts in means as often as its weight says. Intervals are
 * computed from the smaller number of samples that {@link StratumSums#effective} gives.
 *
 * <p><b>EXPIRED</b> measurements enter mean and low with their low ends, and high with their high ends. Counts below
 * the number of samples, as at the edge of a window, are raised to it.
 */
public final class StratifiedEstimator {
    /** Share of degraded answers up to which no degraded sample is needed. */
    static final double MAXIMUM_UNSAMPLED_SHARE = 0.1;

    /**
     * Standard deviation of the drift of the degraded answers' mean quality since the history. With this value the
     * intervals of control batches cover 95.5 % at 10 % sampling in the SamplingExperiment, whose query mix shifts, and
     * up to 99.4 % at lower rates.
     */
    static final double DRIFT = 0.05;

    private StratifiedEstimator() {}

    /** The estimate of a window without history; empty: NOT-ENOUGH. */
    public static Optional<Estimate> estimate(StratumCounts counts) {
        return estimate(counts, StratumCounts.NONE);
    }

    /**
     * The estimate of a batch with its history; empty: NOT-ENOUGH.
     *
     * @param history the averaging window up to the start of the batch, without the batch's own samples
     */
    public static Optional<Estimate> estimate(StratumCounts batch, StratumCounts history) {
        return ofLateness(batch.effective(), history.effective()).map(batch::lessDeliberate);
    }

    private static Optional<Estimate> ofLateness(StratumCounts batch, StratumCounts history) {
        if (batch.answered() == 0) {
            return Optional.empty();
        }
        int sampled = batch.degradedSamples();
        long degraded = Math.max(batch.timedOut(), sampled);
        long answered = Math.max(batch.answered(), degraded + batch.cleanSamples());
        double share = (double) degraded / answered;
        if (sampled + history.degradedSamples() == 0 && share > MAXIMUM_UNSAMPLED_SHARE) {
            return Optional.empty();
        }
        if (degraded == 0) {
            return Optional.of(new Estimate(1, 1, 1));
        }
        Estimate low = degradedMean(batch.degradedLow(), history.degradedLow(), degraded);
        Estimate high = batch.degradedLow().equals(batch.degradedHigh())
                        && history.degradedLow().equals(history.degradedHigh())
                ? low
                : degradedMean(batch.degradedHigh(), history.degradedHigh(), degraded);
        double mean = 1 - share * (1 - low.mean());
        return Optional.of(
                new Estimate(1 - share * (1 - low.low()), mean, Math.max(mean, 1 - share * (1 - high.high()))));
    }

    /**
     * Mean quality of a whole stratum from its sampled answers, with its 95 % interval; the interval is 0..1 without
     * samples.
     *
     * @param population number of answers in the stratum; raised to the number of samples
     */
    public static Estimate stratumMean(StratumSums sampled, long population) {
        StratumSums equal = sampled.effective();
        return degradedMean(equal, StratumSums.NONE, Math.max(1, Math.max(population, equal.count())));
    }

    /** Mean quality of the degraded answers of the batch, from its samples and the history. */
    private static Estimate degradedMean(StratumSums batch, StratumSums history, long degraded) {
        long unsampled = degraded - batch.count();
        if (unsampled == 0) {
            double mean = batch.mean();
            return new Estimate(mean, mean, mean);
        }
        StratumSums guarded = history.add(0).add(1);
        StratumSums all = batch.plus(guarded);
        double variance = all.variance();
        double drift = history.isEmpty() ? 0 : DRIFT * DRIFT;
        double precision = batch.count() / variance;
        double priorPrecision = 1 / (variance / guarded.count() + drift);

        double centre = (precision * batch.mean() + priorPrecision * guarded.mean()) / (precision + priorPrecision);
        // A single answer can have any quality; no normal approximation applies.
        double reach = unsampled == 1
                ? 1
                : StudentT.quantile975(all.count() - 1)
                        * Math.sqrt(1 / (precision + priorPrecision) + variance / unsampled);
        double low = whole(batch, centre - reach, degraded);
        double high = whole(batch, centre + reach, degraded);
        double mean = whole(batch, unsampledMean(batch, history, variance), degraded);
        return new Estimate(Math.min(low, mean), mean, Math.max(high, mean));
    }

    /** The estimated mean of the unsampled answers, without pseudo-observations. */
    private static double unsampledMean(StratumSums batch, StratumSums history, double variance) {
        if (history.isEmpty()) {
            return batch.isEmpty() ? 0.5 : batch.mean();
        }
        double precision = batch.count() / variance;
        double priorPrecision = 1 / (variance / history.count() + DRIFT * DRIFT);
        return (precision * batch.mean() + priorPrecision * history.mean()) / (precision + priorPrecision);
    }

    /** Mean quality of all degraded answers: of the sampled ones, which is known, and of the others. */
    private static double whole(StratumSums sampled, double othersMean, long degraded) {
        double others = Math.max(0, Math.min(1, othersMean)) * (degraded - sampled.count());
        return Math.max(0, Math.min(1, (sampled.sum() + others) / degraded));
    }
}
