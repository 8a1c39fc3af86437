package io.kipimo.examples.caching;

/**
 * From writes to their notifications in the topic {@code invalidations}, milliseconds.
 *
 * @param notifications of records and results
 */
record JobLag(long notifications, double p50Millis, double p99Millis, double longestMillis) {}
