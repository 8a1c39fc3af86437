package io.kipimo.schemas.rating;

/** Purpose of an experiment. */
public enum TrialPurpose {
    /** One of several equal experiments, whose readings measure the noise. */
    NOISE,
    /** To find a load that is too high. */
    CLIMB,
    /** To narrow down the peak, or the highest load that passes. */
    NARROW,
    /** To read the same load again because of noise. */
    REPEAT,
    /** To repeat a void experiment. */
    RETRY,
    /** To confirm the load found, for the agreement's duration. */
    CONFIRM
}
