package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;
import java.util.Optional;

/**
 * Figures of one table's caching in ten seconds; topic {@code caching}. Identity: service, table, end.
 *
 * @param startMillis start, epoch milliseconds
 * @param endMillis end, exclusive
 * @param originReads reads at the origin, of records and queries
 * @param handedOut times to live that these reads returned; empty without reads
 * @param mostInvalidated keys with the most invalidations, at most 20, in descending order
 * @param filter state of the filter; empty while the filter is unavailable
 * @param use counts that clients and caches reported; empty if none reported
 */
@WithBuilder
public record CachingWindow(
        @Name String service,
        @Name String table,
        @Range(least = 1, most = Range.LATEST_MILLIS) long startMillis,
        @Range(most = Range.LATEST_MILLIS + 1) long endMillis,
        long originReads,
        long writes,
        long invalidations,
        Optional<TtlQuantiles> handedOut,

        @Initializer(source = List.class, value = "of") @Size(most = CachingWindow.MOST_KEYS)
        List<InvalidatedKey> mostInvalidated,

        Optional<FilterFill> filter,
        Optional<CacheCounts> use) {
    /** Greatest length of {@code mostInvalidated}. */
    public static final int MOST_KEYS = 20;

    /** Service and table with {@code /} between them. */
    public String scope() {
        return CachedScope.of(service, table);
    }

    /** Returns a copy with this state of the filter. */
    public CachingWindow with(FilterFill fill) {
        return CachingWindowBuilder.builder(this).filter(Optional.of(fill)).build();
    }
}
