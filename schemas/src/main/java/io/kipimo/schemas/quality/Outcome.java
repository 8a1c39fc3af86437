package io.kipimo.schemas.quality;

/** Outcome of one invocation. */
public enum Outcome {
    /** The result was in the answer. */
    IN_TIME,
    /** The deadline passed first; a {@link Phase#MATURE} partial result is expected. */
    TIMED_OUT,
    /** The component answered with an error; no result will come. */
    FAILED,
    /** The front end chose not to ask the component for this query: a deliberate loss, not lateness. */
    NOT_ASKED;

    /** Whether the component was asked, but its result was not in the answer. */
    public boolean isLate() {
        return this == TIMED_OUT || this == FAILED;
    }
}
