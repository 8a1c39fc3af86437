package io.kipimo.schemas.observation;

/** In how many measurable answers a component was not in time, or was not asked, unsampled. */
public record MissingCount(String component, long answers) {}
