package io.kipimo.core.ttl;

/**
 * State of a query for estimating its time to live: how often its result changes, and what a change costs.
 *
 * @param meanMillis estimated time from a read to the next change; infinite if nothing is written
 * @param isLearnt whether the estimate comes from invalidations; otherwise it comes from the write rates of the
 *     result's records
 * @param firstReadMillis first read of the current result, epoch milliseconds; the largest long if it was not read
 *     since it changed
 * @param lastReadMillis last read, epoch milliseconds
 * @param lossPerChange quality lost by a result that misses one change, 0..1, smoothed
 * @param invalidations number of invalidations so far
 */
public record CachedQuery(
        double meanMillis,
        boolean isLearnt,
        long firstReadMillis,
        long lastReadMillis,
        double lossPerChange,
        long invalidations) {}
