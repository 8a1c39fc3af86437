package io.kipimo.schemas.caching;

/**
 * A cached record or result is stale; topic {@code invalidations}. Identity: service, table, key,
 * record, version. Place in the stream: partition, sequence.
 *
 * @param record that was written; empty only of UNKNOWN
 * @param version of the record
 * @param writtenMillis the event time, epoch milliseconds
 * @param serveStaleMillis how long a SOFT invalidation lets the stale result be served, at least 1;
 *     0 if the mode is HARD
 * @param partition of the stream of notifications, from 0
 * @param sequence in its partition, from 0, without gaps
 * @param completeBeforeMillis all of this partition that were written before this were sent, epoch
 *     milliseconds, exclusive; 0: not known
 */
public record Invalidation(
        String service,
        String table,
        String key,
        CachedKind kind,
        ResultChange change,
        String record,
        long version,
        long writtenMillis,
        InvalidationMode mode,
        long serveStaleMillis,
        int partition,
        long sequence,
        long completeBeforeMillis) {}
