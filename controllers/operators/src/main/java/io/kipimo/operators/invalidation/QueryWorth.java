package io.kipimo.operators.invalidation;

import io.kipimo.schemas.caching.TtlEstimate;

/**
 * Worth of caching a query, estimated by the ttl job from its reads.
 *
 * @param subscription service/table/key
 * @param hitsSavedPerSecond reads that caches answer instead of the origin, at least 0
 */
public record QueryWorth(String subscription, double hitsSavedPerSecond) {
    public static QueryWorth of(TtlEstimate estimate) {
        return new QueryWorth(estimate.scope(), estimate.hitsSavedPerSecond());
    }

    /** Worth of a query that is not read any more. */
    public static QueryWorth forgotten(String subscription) {
        return new QueryWorth(subscription, 0);
    }
}
