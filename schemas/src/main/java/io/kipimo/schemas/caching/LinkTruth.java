package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Range;

/**
 * Probes of one link. A probe is fresh within a time if it shows the newest version that was written at least that long
 * before.
 *
 * @param withinMillis that time
 * @param fresh number of probes that were shown to be fresh
 * @param stale number of probes that were shown not to be
 * @param unknown number of probes without proof of either, such as those without a version
 * @param lost how many of the stale ones this link itself has lost
 * @param provenMillis time of the newest probe that is fresh or stale, epoch milliseconds; 0: none
 */
public record LinkTruth(
        CacheLink link,

        @Range(least = 1, most = CacheRead.LONGEST_TTL_MILLIS)
        long withinMillis,

        long fresh,
        long stale,
        long unknown,
        @Range(mostOf = "stale") long lost,
        @Range(most = Range.LATEST_MILLIS) long provenMillis) {}
