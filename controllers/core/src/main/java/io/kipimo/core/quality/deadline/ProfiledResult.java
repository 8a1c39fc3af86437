package io.kipimo.core.quality.deadline;

import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;

/**
 * The final result of one component that a query invoked, in time or late.
 *
 * @param completedMicros time from the start of the query to the result, which a deadline limits; without meaning if no
 *     result came
 * @param latencyMicros time from the invocation to the result; without meaning if no result came
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
