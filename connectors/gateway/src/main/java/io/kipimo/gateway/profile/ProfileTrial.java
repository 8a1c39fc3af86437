package io.kipimo.gateway.profile;

import io.kipimo.schemas.field.WithBuilder;
import java.util.Set;

/**
 * Result of one trial of sampling and recording settings.
 *
 * @param memoized components whose responses were kept; a replay invokes the other components again
 * @param samplingRate share of the queries that were sampled, 0..1
 * @param queries number of answered queries
 * @param sampled number of sampled ones among them
 * @param whole number of complete answers among the sampled ones; they are measured without a replay
 * @param replayed number of the sampled that have a mature answer from a replay
 * @param unsampledMillis mean response time of unsampled queries; NaN without any
 * @param sampledMillis mean response time of sampled queries; NaN without any
 * @param baselineMillis mean response time without sampling
 * @param failures number of queries without an answer
 */
@WithBuilder
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

    /** Mature executions per 100 queries: by replay, or because the query was complete. */
    public double maturePer100() {
        return queries == 0 ? 0 : 100.0 * (whole + replayed) / queries;
    }

    /** Mature executions by replay, per 100 queries. */
    public double replayedPer100() {
        return queries == 0 ? 0 : 100.0 * replayed / queries;
    }

    /** Share of the sampled queries without a mature answer, 0..1. */
    public double unmeasuredShare() {
        return sampled == 0 ? 0 : 1 - (whole + replayed) / (double) sampled;
    }

    /** Relative increase of the response time of unsampled queries; NaN without any. */
    public double unsampledSlowdown() {
        return unsampledMillis / baselineMillis - 1;
    }

    /** Relative increase of the response time of sampled queries; NaN without any. */
    public double sampledSlowdown() {
        return sampledMillis / baselineMillis - 1;
    }
}
