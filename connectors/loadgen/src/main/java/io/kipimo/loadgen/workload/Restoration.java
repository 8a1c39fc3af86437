package io.kipimo.loadgen.workload;

/** The way in which a target was brought into an experiment's initial state. */
public enum Restoration {
    /** Nothing was done: the target was in that state, or needs none. */
    NONE,
    /** The state was made for the first time (zeta). */
    CREATED,
    /** The state was restored (nu). */
    RESTORED
}
