package io.kipimo.core.ttl;

import io.kipimo.core.invalidation.ObservedUse;

/**
 * State of a query.
 *
 * @param changedMillis newest change, epoch milliseconds; {@link Long#MIN_VALUE}: none
 * @param changes number of changes since the last read
 * @param records records of the last read result, best first, by {@link io.kipimo.core.stale.KeyHash}; empty if results
 *     are not compared
 * @param use observed use; null: none yet
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
        return new TrackedQuery(query, changedMillis, changes, records, published, seen, publishedUse);
    }

    /** The state after this publication. */
    public TrackedQuery published(PublishedTtl ttl, PublishedUse ofUse) {
        return new TrackedQuery(query, changedMillis, changes, records, ttl, use, ofUse);
    }
}
