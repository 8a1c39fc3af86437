package io.kipimo.core.guard;

/** Result of an offered decision: the verdict, and the state of the actuator after it. */
public record ActuatorResult<V>(Leased<V> state, ActuatorVerdict verdict) {}
