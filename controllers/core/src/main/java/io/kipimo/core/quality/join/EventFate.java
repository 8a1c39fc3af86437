package io.kipimo.core.quality.join;

/**
 * What became of one event; every event has exactly one fate: in = joined + late + duplicate +
 * rejected.
 */
public enum EventFate {
    /** It is part of its query, or could not have changed the measurement any more. */
    JOINED,
    /** It came after its query was measured or after the expiration window. */
    LATE,
    /** The same answer, or the same component and phase, was there before. */
    DUPLICATE,
    /** It could not be used; it is in the dead letters with the reason. */
    REJECTED
}
