package io.kipimo.schemas.rating;

/** What an experiment of a rating was for. */
public enum TrialPurpose {
    /** One of some equal ones, whose readings tell the noise. */
    NOISE,
    /** To find a load that is too high. */
    CLIMB,
    /** To narrow down where the peak, or the end of what passes, is. */
    NARROW,
    /** Another reading because of noise. */
    REPEAT,
    /** Again, since the last one was void. */
    RETRY,
    /** The load that was found, for as long as the agreement says. */
    CONFIRM
}
