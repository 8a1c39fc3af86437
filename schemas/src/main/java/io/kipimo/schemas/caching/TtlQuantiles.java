package io.kipimo.schemas.caching;

/**
 * Times to live that the origin returned, milliseconds.
 *
 * @param count number of reads, at least 1
 */
public record TtlQuantiles(
        long count, double p10Millis, double p50Millis, double p90Millis, double p99Millis) {}
