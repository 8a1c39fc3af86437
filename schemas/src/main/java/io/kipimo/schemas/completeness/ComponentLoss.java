package io.kipimo.schemas.completeness;

/** Mean quality lost when this component is missing, 0..1, and from how many answers that is. */
public record ComponentLoss(String component, double loss, long queries) {}
