package io.kipimo.core.quality.deadline;

import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;

/**
 * What one component that a query invoked gave to it, sooner or later.
 *
 * @param completedMicros from the start of the query to the result, which is what a deadline cuts;
 *     without meaning where none came, as is the next
 * @param latencyMicros from the invocation to the result
 * @param items of the component's final result; null: it never came
 * @param lostQuality Shapley value of its lateness, as measured
 * @param contribution share of the mature top k that it returned, 0..1, as measured
 */
public record ProfiledResult(
        String component,
        Outcome outcome,
        long completedMicros,
        long latencyMicros,
        Items items,
        double lostQuality,
        double contribution) {

    boolean isMissing() {
        return items == null;
    }
}
