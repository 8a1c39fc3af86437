package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Range;

/**
 * State of the filter of a table's stale keys at the end of a window.
 *
 * @param trackedKeys number of keys that some cache may hold
 * @param bytes size of the flat filter
 * @param fill share of bits that are set, 0..1
 * @param falsePositiveRate share of fresh keys that are revalidated needlessly, 0..1
 */
public record FilterFill(
        long staleKeys,
        long trackedKeys,
        int bytes,
        @Range(most = 1) double fill,
        @Range(most = 1) double falsePositiveRate) {}
