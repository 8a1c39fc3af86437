package io.kipimo.schemas.tails;

/**
 * How many made it in time.
 *
 * @param objectiveMicros latency bound
 * @param share at or under the bound, 0..1
 */
public record ServiceLevel(long objectiveMicros, double share) {}
