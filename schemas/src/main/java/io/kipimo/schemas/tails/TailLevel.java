package io.kipimo.schemas.tails;

/** Scope of a window of tail statistics. Each level merges the next one. */
public enum TailLevel {
    SERVICE,
    TIER,
    COMPONENT,
    SERVER,
    /** A tier as its arbiters see it. No other level merges it. */
    ARBITER
}
