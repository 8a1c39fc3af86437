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
        ToldTtl told,
        ObservedUse use,
        ToldUse toldUse) {
    TrackedQuery with(ObservedUse seen) {
        return new TrackedQuery(query, changedMillis, changes, records, told, seen, toldUse);
    }

    /** The same, after that was told. */
    public TrackedQuery told(ToldTtl ttl, ToldUse ofUse) {
        return new TrackedQuery(query, changedMillis, changes, records, ttl, use, ofUse);
    }
}
