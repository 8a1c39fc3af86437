package io.kipimo.core.quality.fanout.model;

import java.util.List;
import java.util.Optional;

/**
 * What selective fan-out could save at an objective.
 *
 * @param queries whose contributions are known
 * @param tested those of them that judged the learned choice
 * @param fixed the same components for all queries, by descending effort; judged on other queries than those that gave
 *     the order
 * @param learned components chosen for each query by a model of its features, by descending effort; judged on queries
 *     that came later than those that taught the model; empty: too few queries have features
 * @param perfect components chosen for each query by what they contribute to it, by descending effort: no model can do
 *     better
 * @param outcome at the objective
 * @param saving share of the work that is saved at the objective: by the fixed choice if outcome is
 *     {@link FanOutOutcome#FIXED}, by the learned one if it is {@link FanOutOutcome#LEARNED}, at most and by a perfect
 *     choice otherwise
 * @param chosen the point that keeps the objective with the least effort; empty: not enough queries
 */
public record FanOutAdvice(
        int queries,
        int tested,
        List<FanOutPoint> fixed,
        List<FanOutPoint> learned,
        List<FanOutPoint> perfect,
        FanOutOutcome outcome,
        double saving,
        Optional<FanOutPoint> chosen) {

    /** What can be gained. */
    public enum FanOutOutcome {
        /** Too few queries whose contributions are known. */
        NOT_ENOUGH,
        /** Even a perfect choice for each query saves less than a tenth of the work. */
        NOTHING_TO_GAIN,
        /** Some components can be left out for all queries. */
        FIXED,
        /** A choice for each query, by a learned model, saves more than a fixed one. */
        LEARNED,
        /** Only a choice for each query may save work: at most as much as the perfect one. */
        PER_QUERY
    }
}
