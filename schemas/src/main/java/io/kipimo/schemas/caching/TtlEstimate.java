package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.field.WithBuilder;
import java.util.Optional;

/**
 * Estimated time to live of a cached record or query result; topic {@code ttls}, compacted by service/table/key. The
 * estimate with the latest {@code estimatedMillis} counts.
 *
 * @param ttlMillis time to live to return, 0..{@value CacheRead#LONGEST_TTL_MILLIS}
 * @param meanMillis estimated time from a read to the next change; empty: no known writes
 * @param isLearnt whether the estimate is learned from invalidations; otherwise it comes from write rates
 * @param lossPerChange quality that a result loses when it misses one change, 0..1
 * @param invalidations number of invalidations so far
 * @param estimatedMillis the event time, epoch milliseconds
 * @param representation the form of cached result that costs clients the least time; ANY for a record, and while there
 *     is too little data
 * @param hitsSavedPerSecond expected reads that caches answer instead of the origin, at least 0; 0 for a record
 */
@WithBuilder
public record TtlEstimate(
        @Name String service,
        @Name String table,
        @Text(longest = CacheRead.LONGEST_KEY) String key,
        CachedKind kind,
        @Range(most = CacheRead.LONGEST_TTL_MILLIS) long ttlMillis,
        @Range(most = 1e18) Optional<Double> meanMillis,
        boolean isLearnt,
        @Range(most = 1) double lossPerChange,
        long invalidations,
        @Range(least = 1, most = Range.LATEST_MILLIS) long estimatedMillis,
        ResultRepresentation representation,
        @Range(most = 1e18) double hitsSavedPerSecond) {

    /** The key in the topic: service, table and key with {@code /} between them. */
    public String scope() {
        return CachedScope.of(service, table, key);
    }
}
