package io.kipimo.schemas.deadline;

import java.util.List;

/**
 * What asking fewer components of each query would have cost and kept. No choice is carried out.
 *
 * @param queries queries with features that the model has learned from
 * @param calibrated whether the model's predictions were tested enough and hold; if not, its choices ask all components
 * @param learned choices of the model, each for a query that it had not learned from, by falling floor; empty: not
 *     enough queries
 * @param perfect choices by what each component contributed, by falling floor: no model can do better
 */
public record FanOutCurve(long queries, boolean calibrated, List<FanOutFloor> learned, List<FanOutFloor> perfect) {

    /** No query with features was learned. */
    public static final FanOutCurve NONE = new FanOutCurve(0, false, List.of(), List.of());
}
