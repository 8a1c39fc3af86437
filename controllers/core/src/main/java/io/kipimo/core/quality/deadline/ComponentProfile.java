package io.kipimo.core.quality.deadline;

/**
 * One component's part in one query, all others at the deadline in force.
 *
 * @param late it was not in the answer
 * @param missing its result never came; the two qualities are equal then
 * @param completedMicros after the query's start, as in {@link QueryProfile}; 0 where missing
 * @param latencyMicros of these, from its invocation on; 0 where missing
 * @param lostQuality Shapley value of its lateness
 * @param contribution share of the mature top k that it returned, 0..1
 * @param qualityWith of the answer with its result, 0..1
 * @param qualityWithout of the answer without it, 0..1
 */
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
