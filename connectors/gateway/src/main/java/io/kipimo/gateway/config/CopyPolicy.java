package io.kipimo.gateway.config;

/** Chooses the servers for the copies of a request. */
public enum CopyPolicy {
    /** Round-robin. */
    ROUND_ROBIN,
    /** The servers whose tokens are returned soonest come first. */
    TAD
}
