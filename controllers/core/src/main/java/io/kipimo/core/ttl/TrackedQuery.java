package io.kipimo.core.ttl;

/**
 * What is kept of a query.
 *
 * @param changedMillis of the newest change, epoch milliseconds; {@link Long#MIN_VALUE}: none
 * @param changes since it was read last
 * @param records of the result that was read last, best first, by {@link
 *     io.kipimo.core.stale.KeyHash}; empty if results are not compared
 */
public record TrackedQuery(
        CachedQuery query, long changedMillis, int changes, long[] records, ToldTtl told) {}
