package io.kipimo.gateway.config;

/** Kind of servers behind a listener. */
public enum Role {
    /** Any tier: requests are admitted, limited, arbitrated and counted. */
    TIER,
    /** The front end, where queries arrive. Queries are also sampled and replayed. */
    FRONT,
    /** A component that the front end invokes. Responses to sampled queries are recorded. */
    COMPONENT
}
