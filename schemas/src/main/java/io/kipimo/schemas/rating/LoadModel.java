package io.kipimo.schemas.rating;

/** How load is imposed. */
public enum LoadModel {
    /** Requests a second, Poisson arrivals, whatever the target does. */
    OPEN,
    /** Users, each with one request at a time. */
    CLOSED
}
