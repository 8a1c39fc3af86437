package io.kipimo.gateway.config;

/** What stands behind a listener. */
public enum Role {
    /** Any tier: requests are admitted, limited, arbitrated and counted. */
    TIER,
    /** The front end, where queries come in: it is also what is sampled and replayed. */
    FRONT,
    /** A component that the front end asks: responses to sampled queries are recorded. */
    COMPONENT
}
