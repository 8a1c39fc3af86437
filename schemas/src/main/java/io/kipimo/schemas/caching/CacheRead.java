package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import java.util.List;

/**
 * The origin returned a record or a query's result; topic {@code reads}.
 *
 * @param key key of the record or the query
 * @param readMillis the event time, epoch milliseconds
 * @param ttlMillis time to live that the origin returned, 0..{@value #LONGEST_TTL_MILLIS}; 0: not cacheable
 * @param recordKeys keys of the records in a query's result, in its order, at most 10,000; empty for a record
 */
public record CacheRead(
        @Name String service,
        @Name String table,
        @Text(longest = CacheRead.LONGEST_KEY) String key,
        CachedKind kind,
        @Range(least = 1, most = Range.LATEST_MILLIS) long readMillis,
        @Range(most = CacheRead.LONGEST_TTL_MILLIS) long ttlMillis,
        @Text(longest = CacheRead.LONGEST_KEY) List<String> recordKeys) {
    /** One year, the limit that HTTP caches use. */
    public static final long LONGEST_TTL_MILLIS = 31_536_000_000L;

    /** Greatest length of a {@code key} in the records of this package, UTF-16 code units. */
    public static final int LONGEST_KEY = 2_048;
}
