package io.kipimo.schemas.observation;

/** How often a component was invoked and how often it missed the deadline, unsampled. */
public record ComponentCount(String component, long invoked, long timedOut) {}
