package io.kipimo.schemas.observation;

/** In how many measurable degraded answers a component was not in time, unsampled. */
public record MissingCount(String component, long answers) {}
