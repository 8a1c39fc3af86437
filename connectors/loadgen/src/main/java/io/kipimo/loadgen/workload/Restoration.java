package io.kipimo.loadgen.workload;

/** What was done to bring a target into the state that an experiment starts from. */
public enum Restoration {
    /** Nothing: it is in that state, or needs none. */
    NONE,
    /** It was made for the first time (zeta). */
    CREATED,
    /** It was brought back (nu). */
    RESTORED
}
