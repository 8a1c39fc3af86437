package io.kipimo.core.ttl;

import io.kipimo.core.invalidation.ObservedUse;

/**
 * State of one query, from which its time to live is estimated and its use is measured.
 *
 * @param changedMillis time of the newest change of the result, epoch milliseconds; {@link Long#MIN_VALUE}: none
 * @param changes number of changes of the result since the last read
 * @param records {@link io.kipimo.core.stale.KeyHash} of each of the first records of the last read result, best first;
 *     empty if results are not compared
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
