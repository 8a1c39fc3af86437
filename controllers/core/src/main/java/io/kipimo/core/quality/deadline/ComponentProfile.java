package io.kipimo.core.quality.deadline;

import io.kipimo.schemas.field.WithBuilder;

/**
 * One component's effect in one query, with all others at the deadline in force.
 *
 * @param late whether it was not in the answer
 * @param missing whether its result never came; then the two qualities are equal
 * @param completedMicros time from the query's start to the result, as in {@link QueryProfile}; 0 if missing
 * @param latencyMicros time from its invocation to the result; 0 if missing
 * @param lostQuality Shapley value of its lateness
 * @param contribution share of the mature top k that it returned, 0..1
 * @param qualityWith of the answer with its result, 0..1
 * @param qualityWithout of the answer without it, 0..1
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
