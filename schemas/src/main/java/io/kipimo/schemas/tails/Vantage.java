package io.kipimo.schemas.tails;

/** Where requests are observed. */
public enum Vantage {
    /** At the server that executes them: one copy each. */
    SERVER,
    /** At the arbiter in front of a tier: from before the copying until the first response. */
    ARBITER
}
