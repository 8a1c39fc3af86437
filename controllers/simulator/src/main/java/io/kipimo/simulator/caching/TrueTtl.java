package io.kipimo.simulator.caching;

/**
 * Estimated and true time to live of a query's result, known when the result changed.
 *
 * @param estimatedMillis time to live that was sent with the first read of the result
 * @param trueMillis time from that read to the change
 */
public record TrueTtl(double estimatedMillis, double trueMillis) {}
