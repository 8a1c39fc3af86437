package io.kipimo.core.quality.estimate;

import io.kipimo.schemas.quality.Estimate;
import java.util.Optional;

/**
 * Mean quality of all measurable answers of a window, from unsampled counts and few samples: {@code
 * (N_clean * 1 + N_timedOut * mean of the sampled degraded) / N}. The plain mean also has to guess
 * the share of time-outs from the sample; here it is known (stratification; Cochran, "Sampling
 * Techniques", ch. 5), and only what a time-out costs is estimated.
 *
 * <p><b>Interval.</b> With n of D degraded answers sampled, the mean of the D is known up to the
 * mean of the D - n others. That is predicted by a t interval of variance {@code s^2 (1/n + 1/(D -
 * n))}, which is the usual one with the finite-population correction and shrinks to nothing when
 * all are sampled. Qualities are bounded and skewed, and a few equal ones look like certainty: so
 * the interval, though not the mean, counts two imagined answers more, one of quality 0 and one of
 * 1, as Agresti and Coull do for proportions. Few samples make it wide, none makes it all that is
 * possible.
 *
 * <p><b>History.</b> A control batch of 100 queries has one or two samples at 2 %, often none that
 * is degraded, and cannot stand alone. What a time-out costs moves more slowly than how many there
 * are: the mean of the history's samples is a prior for that of the batch, with the variance {@code
 * s^2 / n_history + DRIFT^2}, weighted by precision against the batch's own samples. The share of
 * time-outs is always that of the batch alone.
 *
 * <p><b>NOT-ENOUGH.</b> Empty when there is no measurable answer, or when no degraded answer was
 * sampled, neither in the batch nor in the history, and more than {@value #MAXIMUM_UNSAMPLED_SHARE}
 * of the answers are degraded. Below that share even without samples the quality is known to be
 * within {@code 1 - share..1}, and its middle is the mean. A window without degraded answers has
 * quality 1.
 *
 * <p><b>EXPIRED</b> measurements enter mean and low with their low ends, and high with their high
 * ones. Counts that are fewer than the samples, as at the edge of a window, are raised to them.
 */
public final class StratifiedEstimator {
    /** The share of degraded answers up to which none of them needs to be sampled. */
    static final double MAXIMUM_UNSAMPLED_SHARE = 0.1;

    /**
     * How far the mean quality of degraded answers may have moved since the history, as a standard
     * deviation. With it the intervals of control batches cover 95.5 % at 10 % sampling in the
     * SamplingExperiment, whose query mix shifts, and more (up to 99.4 %) the fewer are sampled.
     */
    static final double DRIFT = 0.05;

    private StratifiedEstimator() {}

    /** The estimate of a window that stands alone; empty: NOT-ENOUGH. */
    public static Optional<Estimate> estimate(StratumCounts counts) {
        return estimate(counts, StratumCounts.NONE);
    }

    /**
     * The estimate of a batch with what came before it; empty: NOT-ENOUGH.
     *
     * @param history the averaging window up to where the batch begins; the batch's own samples are
     *     not in it
     */
    public static Optional<Estimate> estimate(StratumCounts batch, StratumCounts history) {
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
        Estimate high =
                batch.degradedLow().equals(batch.degradedHigh())
                                && history.degradedLow().equals(history.degradedHigh())
                        ? low
                        : degradedMean(batch.degradedHigh(), history.degradedHigh(), degraded);
        double mean = 1 - share * (1 - low.mean());
        return Optional.of(
                new Estimate(
                        1 - share * (1 - low.low()),
                        mean,
                        Math.max(mean, 1 - share * (1 - high.high()))));
    }

    /**
     * Mean quality of a whole stratum, of which some answers are sampled, with its 95 % interval;
     * the interval is 0..1 where none is.
     *
     * @param population answers of the stratum; fewer than the samples count as those
     */
    public static Estimate stratumMean(StratumSums sampled, long population) {
        return degradedMean(
                sampled, StratumSums.NONE, Math.max(1, Math.max(population, sampled.count())));
    }

    /** Mean quality of the degraded answers of the batch, of which some are sampled. */
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

        double centre =
                (precision * batch.mean() + priorPrecision * guarded.mean())
                        / (precision + priorPrecision);
        // A single answer may be anything: it has no mean that would be nearly normal.
        double reach =
                unsampled == 1
                        ? 1
                        : StudentT.quantile975(all.count() - 1)
                                * Math.sqrt(
                                        1 / (precision + priorPrecision) + variance / unsampled);
        double low = whole(batch, centre - reach, degraded);
        double high = whole(batch, centre + reach, degraded);
        double mean = whole(batch, unsampledMean(batch, history, variance), degraded);
        return new Estimate(Math.min(low, mean), mean, Math.max(high, mean));
    }

    /** The best guess of the unsampled answers' mean, without the imagined ones. */
    private static double unsampledMean(StratumSums batch, StratumSums history, double variance) {
        if (history.isEmpty()) {
            return batch.isEmpty() ? 0.5 : batch.mean();
        }
        double precision = batch.count() / variance;
        double priorPrecision = 1 / (variance / history.count() + DRIFT * DRIFT);
        return (precision * batch.mean() + priorPrecision * history.mean())
                / (precision + priorPrecision);
    }

    /** Mean of the sampled answers, which are known, and the others. */
    private static double whole(StratumSums sampled, double othersMean, long degraded) {
        double others = Math.max(0, Math.min(1, othersMean)) * (degraded - sampled.count());
        return Math.max(0, Math.min(1, (sampled.sum() + others) / degraded));
    }
}
