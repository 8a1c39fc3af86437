package io.kipimo.core.guard;

/** Result of an offered decision: the state, which changes only if the decision was applied, and the verdict. */
public record ActuatorResult<V>(Leased<V> state, ActuatorVerdict verdict) {}
