package io.kipimo.schemas.observation;

/** Number of invocations of a component and of its missed deadlines, unsampled. */
public record ComponentCount(String component, long invoked, long timedOut) {}
