package io.kipimo.schemas.tails;

/** Place where requests are observed. */
public enum Vantage {
    /** At the server that executes the requests. It sees one copy of each. */
    SERVER,
    /** At the arbiter in front of a tier. It sees a request from before it is copied until the first response. */
    ARBITER
}
