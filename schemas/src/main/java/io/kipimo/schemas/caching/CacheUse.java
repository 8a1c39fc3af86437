package io.kipimo.schemas.caching;

/**
 * One second of a client or cache, unsampled; topic {@code cache-uses}. Identity: service, table,
 * reporter, second.
 *
 * @param reporter that tells it, unique in the service
 * @param secondMillis start of the second, epoch milliseconds
 */
public record CacheUse(
        String service, String table, String reporter, long secondMillis, CacheCounts counts) {
    /** Last millisecond of the second: when everything in it has happened. */
    public long endMillis() {
        return secondMillis + 999;
    }
}
