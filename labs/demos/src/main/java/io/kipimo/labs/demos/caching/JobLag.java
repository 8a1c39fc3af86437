package io.kipimo.labs.demos.caching;

/**
 * Lag from a write to its notification in topic {@code invalidations}, in milliseconds.
 *
 * @param notifications number of notifications, for records and for results
 */
record JobLag(long notifications, double p50Millis, double p99Millis, double longestMillis) {}
