package io.kipimo.operators.invalidation;

import io.kipimo.schemas.caching.TtlEstimate;

/**
 * What caching a query saves, as the ttl job tells from the reads of it.
 *
 * @param subscription service/table/key
 * @param hitsSavedPerSecond reads that caches answer in the origin's stead, from 0
 */
public record QueryWorth(String subscription, double hitsSavedPerSecond) {
    public static QueryWorth of(TtlEstimate estimate) {
        return new QueryWorth(estimate.scope(), estimate.hitsSavedPerSecond());
    }

    /** Nobody reads it any more. */
    public static QueryWorth forgotten(String subscription) {
        return new QueryWorth(subscription, 0);
    }
}
