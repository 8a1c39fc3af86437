package io.kipimo.schemas.completeness;

/** Mean quality lost when this component is missing, 0..1, and the number of answers behind it. */
public record ComponentLoss(String component, double loss, long queries) {}
