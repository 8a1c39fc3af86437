package io.kipimo.schemas.tails;

/**
 * Share of requests within a latency bound.
 *
 * @param objectiveMicros latency bound
 * @param share share of requests at or below the bound, 0..1
 */
public record ServiceLevel(long objectiveMicros, double share) {}
