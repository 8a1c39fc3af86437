package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Range;

/**
 * Times to live that the origin returned, milliseconds.
 *
 * @param count number of reads, at least 1
 */
public record TtlQuantiles(
        @Range(least = 1) long count,
        @Range(most = 1e18) double p10Millis,
        @Range(leastOf = "p10Millis", most = 1e18) double p50Millis,
        @Range(leastOf = "p50Millis", most = 1e18) double p90Millis,
        @Range(leastOf = "p90Millis", most = 1e18) double p99Millis) {}
