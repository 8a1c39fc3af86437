package io.kipimo.schemas.rating;

/** Model of the load. */
public enum LoadModel {
    /** Open: requests per second with Poisson arrivals, independent of the target. */
    OPEN,
    /** Closed: users, each with one request at a time. */
    CLOSED
}
