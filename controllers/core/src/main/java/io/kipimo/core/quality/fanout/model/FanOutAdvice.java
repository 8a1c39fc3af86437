package io.kipimo.core.quality.fanout.model;

import java.util.List;
import java.util.Optional;

/**
 * The work that selective fan-out could save while it keeps an objective.
 *
 * @param queries number of queries whose contributions are known
 * @param tested number of these queries that judged the learned choice
 * @param fixed the same components for all queries, by descending effort; judged on other queries than those that gave
 *     the order
 * @param learned components chosen for each query by a model of its features, by descending effort; judged on queries
 *     that did not teach the model (cross-validation); empty: too few queries have features
 * @param perfect components chosen for each query by what they contribute to it, by descending effort: no model can do
 *     better
 * @param outcome at the objective
 * @param saving share of the work that is saved at the objective: by the fixed choice if {@code outcome} is
 *     {@link FanOutOutcome#FIXED}, by the learned choice if it is {@link FanOutOutcome#LEARNED}, otherwise by a perfect
 *     choice, which is the upper limit
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

    /** Tells which kind of choice can save work. */
    public enum FanOutOutcome {
        /** Too few queries whose contributions are known. */
        NOT_ENOUGH,
        /** Even a perfect choice for each query saves less than a tenth of the work. */
        NOTHING_TO_GAIN,
        /** Some components can be left out for all queries. */
        FIXED,
        /** A choice for each query, by a learned model, saves more than a fixed one. */
        LEARNED,
        /** Only a separate choice for each query may save work, at most as much as the perfect choice. */
        PER_QUERY
    }
}
