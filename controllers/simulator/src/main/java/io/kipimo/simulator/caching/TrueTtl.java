package io.kipimo.simulator.caching;

/**
 * Estimated and true time to live of a query's result, known when the result changed.
 *
 * @param estimatedMillis sent with the first read of the result
 * @param trueMillis from that read to the change
 */
public record TrueTtl(double estimatedMillis, double trueMillis) {}
