package io.kipimo.loadgen.workload;

/** How a target was brought into an experiment's initial state. */
public enum Restoration {
    /** Not at all: it was in that state, or needs none. */
    NONE,
    /** Made for the first time (zeta). */
    CREATED,
    /** Restored (nu). */
    RESTORED
}
