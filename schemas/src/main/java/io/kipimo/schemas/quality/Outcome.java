package io.kipimo.schemas.quality;

/** Outcome of one invocation. */
public enum Outcome {
    /** The result was in the answer. */
    IN_TIME,
    /** The deadline passed first; a {@link Phase#MATURE} partial result is expected. */
    TIMED_OUT,
    /** The component answered with an error; no result will come. */
    FAILED
}
