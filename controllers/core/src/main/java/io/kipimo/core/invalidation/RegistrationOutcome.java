package io.kipimo.core.invalidation;

/** What became of a registration. */
public enum RegistrationOutcome {
    /** Every write that the result does not hold was matched, or will be. */
    ACTIVE,
    /** The result is older than the writes that are still known: nothing was registered. */
    EVALUATE_AGAIN
}
