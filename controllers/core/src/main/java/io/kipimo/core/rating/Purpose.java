package io.kipimo.core.rating;

/** Purpose of an experiment. */
public enum Purpose {
    /** Find a load that is too high. */
    CLIMB,
    /** Narrow down the peak or the highest passing load. */
    NARROW,
    /** Another reading because of noise. */
    REPEAT,
    /** Repeat a void experiment. */
    RETRY
}
