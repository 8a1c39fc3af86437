package io.kipimo.core.quality.deadline;

import io.kipimo.schemas.field.WithBuilder;

/**
 * Effect of one component on the quality of one query, while all other components have the deadline in force.
 *
 * @param late whether the component was not in the answer that the user got
 * @param missing whether its result never came; then the two qualities are equal
 * @param completedMicros time from the query's start to the result, as in {@link QueryProfile}; 0 if missing
 * @param latencyMicros time from its invocation to the result; 0 if missing
 * @param lostQuality quality that its lateness lost, as a Shapley value
 * @param contribution share of the mature top k that it returned, 0..1
 * @param qualityWith quality of the answer with the component's result, 0..1
 * @param qualityWithout quality of the answer without that result, 0..1
 */
@WithBuilder
public record ComponentProfile(
        String component,
        boolean late,
        boolean missing,
        long completedMicros,
        long latencyMicros,
        double lostQuality,
        double contribution,
        double qualityWith,
        double qualityWithout) {}
