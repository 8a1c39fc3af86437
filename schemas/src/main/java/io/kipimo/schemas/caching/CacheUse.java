package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Required;
import io.kipimo.schemas.field.Text;

/**
 * Counts of the reads of one client or cache in one second, unsampled; topic {@code cache-uses}. Identity: service,
 * table, reporter, second.
 *
 * @param reporter client or cache that emits it, unique in the service
 * @param secondMillis start of the second, epoch milliseconds
 */
public record CacheUse(
        @Name String service,
        @Name String table,
        @Text String reporter,
        @Range(least = 1, most = Range.LATEST_MILLIS) long secondMillis,
        @Required CacheCounts counts) {
    /** Last millisecond of the second. By then, all its events have happened. */
    public long endMillis() {
        return secondMillis + 999;
    }
}
