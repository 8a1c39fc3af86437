package io.kipimo.schemas.quality;

/** Result of a query's measurement. */
public enum Completeness {
    /** Every invoked component delivered its final result; the quality is exact. */
    COMPLETE,
    /** The expiration window ended first; the quality is an interval. */
    EXPIRED,
    /** The answer event never arrived; there is no quality. */
    ORPHAN,
    /** The answer is not measurable; there is an {@link Unmeasurable reason} instead of a quality. */
    NOT_MEASURABLE;

    /** Whether such a measurement has scores. */
    public boolean hasQuality() {
        return this == COMPLETE || this == EXPIRED;
    }
}
