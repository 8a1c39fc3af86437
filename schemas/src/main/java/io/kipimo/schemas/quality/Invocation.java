package io.kipimo.schemas.quality;

/**
 * One component that a query invoked.
 *
 * @param latencyMicros from the invocation to the result or the deadline, microseconds
 */
public record Invocation(String component, Outcome outcome, long latencyMicros) {}
