package io.kipimo.schemas.caching;

/**
 * One second of a client or cache, unsampled; topic {@code cache-uses}. Identity: service, table,
 * reporter, second.
 *
 * @param reporter client or cache that emits it, unique in the service
 * @param secondMillis start of the second, epoch milliseconds
 */
public record CacheUse(
        String service, String table, String reporter, long secondMillis, CacheCounts counts) {
    /** Last millisecond of the second. By then, all its events have happened. */
    public long endMillis() {
        return secondMillis + 999;
    }
}
