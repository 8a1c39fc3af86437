package io.kipimo.schemas.caching;

import java.util.List;
import java.util.Optional;

/**
 * Ten seconds of one table's caching; topic {@code caching}. Identity: service, table, end.
 *
 * @param startMillis epoch milliseconds
 * @param endMillis exclusive
 * @param originReads at the origin, of records and queries
 * @param handedOut times to live of these; empty if there were none
 * @param mostInvalidated keys, at most 20, falling
 * @param filter empty while it cannot be asked
 * @param use as clients and caches told; empty if none did
 */
public record CachingWindow(
        String service,
        String table,
        long startMillis,
        long endMillis,
        long originReads,
        long writes,
        long invalidations,
        Optional<TtlQuantiles> handedOut,
        List<InvalidatedKey> mostInvalidated,
        Optional<FilterFill> filter,
        Optional<CacheCounts> use) {
    /** Most of {@code mostInvalidated}. */
    public static final int MOST_KEYS = 20;

    /** Service and table with {@code /} between. */
    public String scope() {
        return CachedScope.of(service, table);
    }

    /** The same with what is known of the filter. */
    public CachingWindow with(FilterFill fill) {
        return new CachingWindow(
                service,
                table,
                startMillis,
                endMillis,
                originReads,
                writes,
                invalidations,
                handedOut,
                mostInvalidated,
                Optional.of(fill),
                use);
    }
}
