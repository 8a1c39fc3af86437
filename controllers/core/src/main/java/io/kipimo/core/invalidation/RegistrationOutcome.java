package io.kipimo.core.invalidation;

/** Outcome of a registration. */
public enum RegistrationOutcome {
    /** Every write that the result lacks was matched or will be matched. */
    ACTIVE,
    /**
     * The result is older than the writes that can be replayed, or replaying takes too long: nothing was registered.
     */
    EVALUATE_AGAIN
}
