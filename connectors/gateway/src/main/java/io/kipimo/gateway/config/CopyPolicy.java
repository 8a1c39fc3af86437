package io.kipimo.gateway.config;

/** Which servers get the copies of a request. */
public enum CopyPolicy {
    /** Each in turn. */
    ROUND_ROBIN,
    /** Those whose tokens come back soonest. */
    TAD
}
