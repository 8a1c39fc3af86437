package io.kipimo.schemas.quality;

/** How the measurement of a query ended. */
public enum Completeness {
    /** Every invoked component gave its final result; the quality is exact. */
    COMPLETE,
    /** The expiration window ended first; the quality is an interval. */
    EXPIRED,
    /** The answer event never came; there is no quality. */
    ORPHAN
}
