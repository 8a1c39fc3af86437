package io.kipimo.schemas.caching;

/**
 * A cached record or result is stale; topic {@code invalidations}. Identity: service, table, key,
 * record, version. Place in the stream: partition, sequence.
 *
 * <p>Where nothing becomes stale for a while, a mark tells how far the partition is complete: its
 * change is NONE, and service, table, key and record are empty.
 *
 * @param record that was written; empty only of UNKNOWN, of REFUSED, and of a mark
 * @param version of the record
 * @param writtenMillis the event time, epoch milliseconds; of a mark completeBeforeMillis
 * @param serveStaleMillis how long a SOFT invalidation lets the stale result be served, at least 1;
 *     0 if the mode is HARD
 * @param partition of the stream of notifications, from 0
 * @param sequence in its partition, from 0, without gaps
 * @param completeBeforeMillis all of this partition that were written before this were sent, but
 *     for those that come {@link #isLate late}; epoch milliseconds, exclusive, never falling; 0:
 *     not known
 * @param retryAfterMillis of REFUSED: how long the query is not to be subscribed again, 1..{@value
 *     #LONGEST_RETRY_MILLIS}; of others 0
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
        long completeBeforeMillis,
        long retryAfterMillis) {
    /** A day. */
    public static final long LONGEST_RETRY_MILLIS = 86_400_000;

    /** A mark, not yet numbered. */
    public static Invalidation mark(long completeBeforeMillis) {
        return new Invalidation(
                "",
                "",
                "",
                CachedKind.RECORD,
                ResultChange.NONE,
                "",
                0,
                completeBeforeMillis,
                InvalidationMode.HARD,
                0,
                0,
                0,
                completeBeforeMillis,
                0);
    }

    /** Whether nothing is stale, and only the place in the stream counts. */
    public boolean isMark() {
        return change == ResultChange.NONE;
    }

    /**
     * Whether the stream had been told to be complete up to the write, which came later than writes
     * are waited for, or was replayed for a new query.
     */
    public boolean isLate() {
        return writtenMillis < completeBeforeMillis;
    }
}
