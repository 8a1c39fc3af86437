package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.field.WithBuilder;

/**
 * Notification that a cached record or a query's cached result became stale; topic {@code invalidations}. Identity:
 * service, table, key, record, version. Position in the stream: partition, sequence.
 *
 * <p>A mark is a notification without a stale entry: while nothing becomes stale, it reports how far the partition is
 * complete. The change of a mark is NONE, and its service, table, key and record are empty.
 *
 * @param record the record that was written; empty in marks and if the change is UNKNOWN or REFUSED
 * @param version version of the record
 * @param writtenMillis the event time, epoch milliseconds; in marks equal to {@code completeBeforeMillis}
 * @param serveStaleMillis time for which caches may still serve the stale result in mode SOFT, at least 1 ms; 0 in mode
 *     HARD
 * @param partition partition of the stream of notifications, from 0
 * @param sequence number within the partition, from 0, without gaps
 * @param completeBeforeMillis the partition has sent every invalidation by writes before this time, except
 *     {@link #isLate late} ones; epoch milliseconds, exclusive, never decreasing; 0: unknown
 * @param retryAfterMillis if the change is REFUSED, time that the client must wait before it subscribes to the query
 *     again, milliseconds, 1..{@value #LONGEST_RETRY_MILLIS}; otherwise 0
 */
@WithBuilder
public record Invalidation(
        @Name(mayBeEmpty = true) String service,
        @Name(mayBeEmpty = true) String table,

        @Text(longest = CacheRead.LONGEST_KEY, mayBeEmpty = true)
        String key,

        CachedKind kind,
        ResultChange change,

        @Text(longest = CacheRead.LONGEST_KEY, mayBeEmpty = true)
        String record,

        @Range(most = RecordWrite.LARGEST_VERSION) long version,
        @Range(least = 1, most = Range.LATEST_MILLIS) long writtenMillis,
        InvalidationMode mode,
        @Range(most = CacheRead.LONGEST_TTL_MILLIS) long serveStaleMillis,
        int partition,
        long sequence,
        @Range(most = Range.LATEST_MILLIS) long completeBeforeMillis,
        @Range(most = Invalidation.LONGEST_RETRY_MILLIS) long retryAfterMillis) {
    /** One day. */
    public static final long LONGEST_RETRY_MILLIS = 86_400_000;

    /** A mark without a sequence number. */
    public static Invalidation mark(long completeBeforeMillis) {
        return InvalidationBuilder.builder()
                .service("")
                .table("")
                .key("")
                .kind(CachedKind.RECORD)
                .change(ResultChange.NONE)
                .record("")
                .writtenMillis(completeBeforeMillis)
                .mode(InvalidationMode.HARD)
                .completeBeforeMillis(completeBeforeMillis)
                .build();
    }

    /** Whether this is a mark: nothing is stale, and only the position in the stream counts. */
    public boolean isMark() {
        return change == ResultChange.NONE;
    }

    /**
     * Whether the partition had already been reported complete beyond the time of the write. If so, the write arrived
     * after the waiting time for late writes, or it was replayed for a new query.
     */
    public boolean isLate() {
        return writtenMillis < completeBeforeMillis;
    }
}
