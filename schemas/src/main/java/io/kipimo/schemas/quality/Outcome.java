package io.kipimo.schemas.quality;

/** What became of a component that a query invoked. */
public enum Outcome {
    /** Its result was in the answer. */
    IN_TIME,
    /** The deadline passed first; a {@link Phase#MATURE} partial result is expected. */
    TIMED_OUT,
    /** It answered with an error; no result will come. */
    FAILED
}
