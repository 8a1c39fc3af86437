package io.kipimo.schemas.caching;

import java.util.List;

/**
 * The origin handed out a record or a query's result; topic {@code reads}.
 *
 * @param key of the record, or of the query
 * @param readMillis the event time, epoch milliseconds
 * @param ttlMillis time to live that was handed out, 0..{@value #LONGEST_TTL_MILLIS}; 0: not to be
 *     cached
 * @param recordKeys of the records in a query's result, in its order, at most 10,000; empty of a
 *     record
 */
public record CacheRead(
        String service,
        String table,
        String key,
        CachedKind kind,
        long readMillis,
        long ttlMillis,
        List<String> recordKeys) {
    /** A year, as of HTTP caches. */
    public static final long LONGEST_TTL_MILLIS = 31_536_000_000L;

    /** Longest {@code key} of all records of this package, UTF-16 code units. */
    public static final int LONGEST_KEY = 2_048;
}
