package io.kipimo.core.quality.estimate;

import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Estimator;
import java.util.Optional;

/**
 * The estimate of a window and how it was made: model-assisted where all front ends count missing
 * components and their costs are known, else stratified.
 *
 * @param estimate empty: NOT-ENOUGH
 */
public record WindowEstimate(Optional<Estimate> estimate, Estimator estimator) {
    /**
     * The estimate of a window.
     *
     * @param averaged the averaging window that ends with it; the same if it is one
     * @param countsMissing whether {@code window} has the missing components of all degraded
     *     answers
     * @param costs of components; empty: not enough was learned
     * @param history of the stratified estimate, without the window's own samples; none for a
     *     window that is itself an average
     */
    public static WindowEstimate of(
            MissingCounts window,
            MissingCounts averaged,
            boolean countsMissing,
            Optional<CostModel> costs,
            StratumCounts history) {
        Estimator estimator =
                !countsMissing
                        ? Estimator.STRATIFIED_NOT_COUNTED
                        : costs.isEmpty()
                                ? Estimator.STRATIFIED_FEW_SAMPLES
                                : Estimator.MODEL_ASSISTED;
        return new WindowEstimate(
                estimator == Estimator.MODEL_ASSISTED
                        ? AssistedEstimator.estimate(window, averaged, costs.orElseThrow())
                        : StratifiedEstimator.estimate(window.strata(), history),
                estimator);
    }
}
