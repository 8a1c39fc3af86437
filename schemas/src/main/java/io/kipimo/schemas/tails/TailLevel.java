package io.kipimo.schemas.tails;

/** What a window of tail statistics is about; each level merges the one after it. */
public enum TailLevel {
    SERVICE,
    TIER,
    COMPONENT,
    SERVER,
    /** A tier as its arbiters see it, beside the others: no level merges it. */
    ARBITER
}
