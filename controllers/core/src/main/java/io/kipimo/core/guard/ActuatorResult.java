package io.kipimo.core.guard;

/** The state after an offer, unchanged unless the decision was applied, and why. */
public record ActuatorResult(ActuatorState state, ActuatorVerdict verdict) {}
