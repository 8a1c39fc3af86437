package io.kipimo.core.rating.search;

/** Why a load is to be tried. */
public enum Purpose {
    /** To find a load that is too high. */
    CLIMB,
    /** To narrow down where the peak, or the end of what passes, is. */
    NARROW,
    /** Another reading because of noise. */
    REPEAT,
    /** Again, since the last experiment was void. */
    RETRY
}
