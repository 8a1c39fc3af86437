package io.kipimo.core.quality.estimate;

import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Estimator;
import java.util.Optional;

/**
 * The estimate of a window and how it was made: model-assisted where all front ends count missing components and their
 * costs are known, else stratified.
 *
 * @param estimate empty: NOT-ENOUGH
 */
public record WindowEstimate(Optional<Estimate> estimate, Estimator estimator) {
    /**
     * The estimate of a window in which some samples may be {@linkplain ExploredStratum explored}. If all degraded
     * samples are explored and no costs are known, explored samples count like others.
     *
     * @param averaged the averaging window that ends with {@code window}; {@code window} itself if it is an average
     * @param costs of missing components; empty: not enough was learned
     * @param isAverage whether the window is itself an average, so that it has no history
     */
    public static WindowEstimate of(
            SampledWindow window, SampledWindow averaged, Optional<CostModel> costs, boolean isAverage) {
        boolean onlyExplored = window.explored().answers() > 0
                && costs.isEmpty()
                && window.others().strata().degradedSamples() == 0
                && averaged.others().strata().degradedSamples() == 0;
        SampledWindow own = onlyExplored ? window.alike() : window;
        SampledWindow wide = onlyExplored ? averaged.alike() : averaged;
        MissingCounts others = own.others();
        MissingCounts wideOthers = wide.others();
        WindowEstimate estimate = of(
                others,
                wide.countsMissing() ? wideOthers : MissingCounts.NONE,
                own.countsMissing(),
                costs,
                isAverage ? StratumCounts.NONE : history(wideOthers.strata(), others.strata()));
        Optional<Estimate> ofAll = own.explored().answers() == 0
                ? estimate.estimate()
                : estimate.estimate()
                        .map(e -> own.explored().with(e, others.strata().answered()));
        return new WindowEstimate(ofAll.map(window.counts().strata()::lessDeliberate), estimate.estimator());
    }

    /**
     * History of a batch: the samples of the averaging window without the batch's own. There is none if the averaging
     * window has no further degraded samples.
     */
    private static StratumCounts history(StratumCounts averaged, StratumCounts batch) {
        return averaged.degradedSamples() <= batch.degradedSamples()
                ? StratumCounts.NONE
                : new StratumCounts(
                        0,
                        0,
                        0,
                        averaged.degradedLow().minus(batch.degradedLow()),
                        averaged.degradedHigh().minus(batch.degradedHigh()));
    }

    /**
     * The estimate of a window.
     *
     * @param averaged the averaging window that ends with {@code window}; {@code window} itself if it is an average
     * @param countsMissing whether front ends counted the components that the degraded answers of {@code window} lacked
     * @param costs of missing components, as learned; empty: from too few samples
     * @param history earlier samples of the averaging window, for the stratified estimate; none if {@code window} is
     *     itself an average
     */
    static WindowEstimate of(
            MissingCounts window,
            MissingCounts averaged,
            boolean countsMissing,
            Optional<CostModel> costs,
            StratumCounts history) {
        Estimator estimator = !countsMissing
                ? Estimator.STRATIFIED_NOT_COUNTED
                : costs.isEmpty() ? Estimator.STRATIFIED_FEW_SAMPLES : Estimator.MODEL_ASSISTED;
        return new WindowEstimate(
                estimator == Estimator.MODEL_ASSISTED
                        ? AssistedEstimator.estimate(window, averaged, costs.orElseThrow())
                        : StratifiedEstimator.estimate(window.strata(), history),
                estimator);
    }
}
