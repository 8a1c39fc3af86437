package io.kipimo.schemas.tails;

/** From where requests were seen. */
public enum Vantage {
    /** At the server that works on them: one copy each. */
    SERVER,
    /** At the arbiter in front of a tier: before they are copied, until the first response. */
    ARBITER
}
