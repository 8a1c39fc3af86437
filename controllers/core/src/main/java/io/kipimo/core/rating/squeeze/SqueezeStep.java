package io.kipimo.core.rating.squeeze;

/** A decision, and the state after it. */
public record SqueezeStep(SqueezeState next, SqueezeDecision decision) {}
