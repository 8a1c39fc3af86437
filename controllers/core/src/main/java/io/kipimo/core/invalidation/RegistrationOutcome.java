package io.kipimo.core.invalidation;

/** Outcome of a registration. */
public enum RegistrationOutcome {
    /** Every write that the result lacks was matched or will be matched. */
    ACTIVE,
    /**
     * The query was not registered and must be evaluated again: its result is older than the writes that can be
     * replayed, or replaying them takes too long.
     */
    EVALUATE_AGAIN
}
