package io.kipimo.schemas.quality;

/** How the measurement of a query ended. */
public enum Completeness {
    /** Every invoked component gave its final result; the quality is exact. */
    COMPLETE,
    /** The expiration window ended first; the quality is an interval. */
    EXPIRED,
    /** The answer event never came; there is no quality. */
    ORPHAN,
    /** Nobody can tell; there is no quality, but an {@link Unmeasurable reason}. */
    NOT_MEASURABLE;

    /** Whether such a measurement has scores. */
    public boolean hasQuality() {
        return this == COMPLETE || this == EXPIRED;
    }
}
