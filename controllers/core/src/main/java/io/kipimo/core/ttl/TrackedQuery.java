package io.kipimo.core.ttl;

import io.kipimo.core.invalidation.capacity.ObservedUse;

/**
 * What is kept of a query.
 *
 * @param changedMillis of the newest change, epoch milliseconds; {@link Long#MIN_VALUE}: none
 * @param changes since it was read last
 * @param records of the result that was read last, best first, by {@link
 *     io.kipimo.core.stale.KeyHash}; empty if results are not compared
 * @param use null: none was seen yet
 */
public record TrackedQuery(
        CachedQuery query,
        long changedMillis,
        int changes,
        long[] records,
        PublishedTtl published,
        ObservedUse use,
        PublishedUse publishedUse) {
    TrackedQuery with(ObservedUse seen) {
        return new TrackedQuery(
                query, changedMillis, changes, records, published, seen, publishedUse);
    }

    /** The same, after that was published. */
    public TrackedQuery published(PublishedTtl ttl, PublishedUse ofUse) {
        return new TrackedQuery(query, changedMillis, changes, records, ttl, use, ofUse);
    }
}
