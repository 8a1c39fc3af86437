package io.kipimo.core.guard;

/**
 * Everything besides state and input that a step depends on.
 *
 * @param lock actuation lock of the service
 * @param epoch epoch of the controller's attempt, which its decisions carry
 * @param nowMillis processing time, epoch milliseconds
 */
public record StepContext<P>(P policy, MoverTurn lock, long epoch, long nowMillis) {}
