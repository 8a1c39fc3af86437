package io.kipimo.core.quality.estimate;

import io.kipimo.schemas.quality.Estimate;
import java.util.Optional;
import org.apache.commons.math3.linear.RealVector;

/**
 * Model-assisted mean quality of all measurable answers of a window (the generalised regression estimator of Särndal,
 * Swensson and Wretman, "Model Assisted Survey Sampling", ch. 6): {@code 1 - (predicted loss + correction) / N}. Front
 * ends count which components their degraded answers lacked; {@link CostModel} has the cost of each. So the estimate
 * follows at once when other components are missing, while {@link StratifiedEstimator} waits for samples.
 *
 * <p><b>Correction.</b> The mean residual of samples corrects predictions. It combines the residuals of the window with
 * the remembered residuals, which are a prior with the variance {@code s^2 / n + DRIFT^2}. Both are weighted by
 * precision. A control batch has few samples of its own, so its correction changes slowly, unless the averaging window
 * contradicts it. The losses of the window's sampled answers are known, so they are not predicted.
 *
 * <p><b>Interval.</b> A t interval. Its variance is the sum of three variances: of the residuals of unsampled answers,
 * of the mean residual, and of the costs, as far as the window and the samples lack different components.
 *
 * <p><b>Not asked.</b> The deliberate loss is counted for all answers, so it is subtracted. Samples enter without it.
 *
 * <p><b>EXPIRED</b> measurements enter mean and low with their low ends, and high with their high ends.
 */
public final class AssistedEstimator {
    /**
     * Standard deviation of the drift of the mean residual since the remembered samples. With four times this value,
     * the intervals in the AssistedExperiment cover 98 to 100 %, and a window's own samples add more noise than they
     * correct.
     */
    static final double DRIFT = 0.005;

    private AssistedEstimator() {}

    /**
     * The estimate of a window; empty (NOT-ENOUGH) if the window has no answers.
     *
     * @param averaged the averaging window that ends with {@code window}
     * @param learned costs from samples that may or may not include the window's own; the interval is computed alike
     */
    public static Optional<Estimate> estimate(MissingCounts window, MissingCounts averaged, CostModel learned) {
        return ofLateness(window.effective(), averaged.effective(), learned).map(window.strata()::lessDeliberate);
    }

    private static Optional<Estimate> ofLateness(MissingCounts window, MissingCounts averaged, CostModel learned) {
        CostModel model = learned.corrected(averaged);
        StratumCounts strata = window.strata();
        if (strata.answered() == 0) {
            return Optional.empty();
        }
        int sampled = strata.degradedSamples();
        long degraded = Math.max(strata.timedOut(), sampled);
        long answered = Math.max(strata.answered(), degraded + strata.cleanSamples());
        if (degraded == 0) {
            return Optional.of(new Estimate(1, 1, 1));
        }
        long unsampled = degraded - sampled;
        double known = sampled - strata.degradedLow().sum();
        double unseen = strata.degradedHigh().sum() - strata.degradedLow().sum();
        if (unsampled == 0) {
            return ofLoss(answered, degraded, known, 0, unseen);
        }
        RealVector sampledMissing = model.vector(window.sampledMissing());
        RealVector missing = model.vector(window.missing()).subtract(sampledMissing);
        missing.mapToSelf(count -> Math.max(0, count));

        double variance = model.residualVariance;
        double precision = sampled / variance;
        double priorPrecision = 1 / (model.recentVariance + DRIFT * DRIFT);
        double own = precision / (precision + priorPrecision);
        double residual = (1 - own) * model.recentResidual;
        double unseenMean = (1 - own) * model.recentUnseen;
        RealVector compared = model.recentMissing().mapMultiply(1 - own);
        if (sampled > 0) {
            residual += own * (known - model.loss(sampledMissing)) / sampled;
            unseenMean += own * unseen / sampled;
            compared = compared.add(sampledMissing.mapMultiply(own / sampled));
        }
        double error = own * Math.sqrt(variance / Math.max(1, sampled)) + (1 - own) * Math.sqrt(1 / priorPrecision);
        double reach = StudentT.quantile975(model.degreesOfFreedom)
                * Math.sqrt(variance / unsampled
                        + error * error
                        + model.variance(missing.mapDivide((double) unsampled).subtract(compared)));
        return ofLoss(
                answered,
                degraded,
                known + model.loss(missing) + unsampled * residual,
                unsampled * reach,
                unseen + unsampled * unseenMean);
    }

    private static Optional<Estimate> ofLoss(long answered, long degraded, double loss, double reach, double unseen) {
        double mean = quality(answered, degraded, loss);
        return Optional.of(new Estimate(
                quality(answered, degraded, loss + reach), mean, quality(answered, degraded, loss - reach - unseen)));
    }

    private static double quality(long answered, long degraded, double loss) {
        return 1 - Math.max(0, Math.min((double) degraded, loss)) / answered;
    }
}
