package io.kipimo.gateway.profile;

import java.util.Set;

/**
 * What came of one way to sample and record.
 *
 * @param memoized components whose responses were kept; the others are asked again by a replay
 * @param samplingRate of the queries, 0..1
 * @param queries answered
 * @param sampled of these
 * @param whole of the sampled ones, those that nothing was missing in: measured without a replay
 * @param replayed of the sampled ones, those that have a mature answer from a replay
 * @param unsampledMillis mean response time of the others; NaN: there were none
 * @param sampledMillis mean response time of sampled ones; NaN: there were none
 * @param baselineMillis mean response time without sampling
 * @param failures queries without an answer
 */
public record ProfileTrial(
        Set<String> memoized,
        double samplingRate,
        int queries,
        int sampled,
        int whole,
        int replayed,
        double unsampledMillis,
        double sampledMillis,
        double baselineMillis,
        int failures) {
    public ProfileTrial {
        memoized = Set.copyOf(memoized);
    }

    /** Mature executions per 100 queries: those by replay, and those that needed none. */
    public double maturePer100() {
        return queries == 0 ? 0 : 100.0 * (whole + replayed) / queries;
    }

    /** Those by replay alone, per 100 queries. */
    public double replayedPer100() {
        return queries == 0 ? 0 : 100.0 * replayed / queries;
    }

    /** Share of the sampled queries that have no mature answer, 0..1. */
    public double unmeasuredShare() {
        return sampled == 0 ? 0 : 1 - (whole + replayed) / (double) sampled;
    }

    /** Relative increase of the response time of queries that were not sampled; NaN: none. */
    public double unsampledSlowdown() {
        return unsampledMillis / baselineMillis - 1;
    }

    /** Relative increase of the response time of sampled queries; NaN: none. */
    public double sampledSlowdown() {
        return sampledMillis / baselineMillis - 1;
    }
}
