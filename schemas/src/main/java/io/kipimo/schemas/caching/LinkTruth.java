package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Range;

/**
 * Counts of the probes (sampled reads) of one link. A probe is fresh if it shows the newest of the versions that were
 * written at least {@code withinMillis} before it.
 *
 * @param withinMillis time within which a read is to show a write
 * @param fresh number of probes that are proven fresh
 * @param stale number of probes that are proven stale
 * @param unknown number of probes without proof of either, such as reads without a version
 * @param lost number of stale probes that are the fault of this link itself
 * @param provenMillis time of the newest probe that is proven fresh or stale, epoch milliseconds; 0: none
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
