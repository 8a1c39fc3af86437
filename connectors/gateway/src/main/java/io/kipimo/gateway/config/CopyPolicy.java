package io.kipimo.gateway.config;

/** How the servers for the copies of a request are chosen. */
public enum CopyPolicy {
    /** Round-robin. */
    ROUND_ROBIN,
    /** The servers whose tokens are returned soonest. */
    TAD
}
