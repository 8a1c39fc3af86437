package io.kipimo.schemas.tails;

/** Scope of a window of tail statistics. A window of a level merges the windows of the next level. */
public enum TailLevel {
    SERVICE,
    TIER,
    COMPONENT,
    SERVER,
    /** A tier as its arbiters see it. No other level merges this one. */
    ARBITER
}
