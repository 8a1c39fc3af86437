package io.kipimo.schemas.deadline;

import java.util.List;

/**
 * Work and quality that would have resulted if each query had asked fewer components. The choices are only computed,
 * not carried out.
 *
 * @param queries queries with features that the model has learned from
 * @param calibrated whether the model's predictions were tested often enough and proved right; if not, its choices ask
 *     all components
 * @param learned results of the model's choices, each for a query that the model had not learned from, by falling
 *     floor; empty: not enough queries
 * @param perfect results of choices that know what each component contributed, by falling floor; no model can do better
 */
public record FanOutCurve(long queries, boolean calibrated, List<FanOutFloor> learned, List<FanOutFloor> perfect) {

    /** No query with features was learned. */
    public static final FanOutCurve NONE = new FanOutCurve(0, false, List.of(), List.of());
}
