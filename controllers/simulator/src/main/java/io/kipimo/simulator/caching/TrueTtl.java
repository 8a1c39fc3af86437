package io.kipimo.simulator.caching;

/**
 * A time to live of a query, known when its result changed.
 *
 * @param estimatedMillis that was handed out with the first read of the result
 * @param trueMillis from that read to the change
 */
public record TrueTtl(double estimatedMillis, double trueMillis) {}
