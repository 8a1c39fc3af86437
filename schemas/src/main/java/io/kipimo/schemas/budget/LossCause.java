package io.kipimo.schemas.budget;

/** A component and its share of the quality lost, 0..1. */
public record LossCause(String component, double share) {}
