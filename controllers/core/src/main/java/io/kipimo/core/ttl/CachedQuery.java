package io.kipimo.core.ttl;

/**
 * What is known of how a query's result changes.
 *
 * @param meanMillis estimated time from a read to the next change; infinite if nothing is written
 * @param isLearnt from invalidations; else it follows from the rates of its records
 * @param firstReadMillis of the result as it is now, epoch milliseconds; the largest long if it was
 *     not read since it changed
 * @param lastReadMillis epoch milliseconds
 * @param lossPerChange quality that a result lacks when it misses one change, 0..1, smoothed
 * @param invalidations so far
 */
public record CachedQuery(
        double meanMillis,
        boolean isLearnt,
        long firstReadMillis,
        long lastReadMillis,
        double lossPerChange,
        long invalidations) {}
