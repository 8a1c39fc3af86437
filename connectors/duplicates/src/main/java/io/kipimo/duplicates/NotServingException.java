package io.kipimo.duplicates;

/** Thrown if a duplicate must not answer now; {@link #standing} says why. */
final class NotServingException extends Exception {
    private static final long serialVersionUID = 1L;

    private final DuplicateStanding standing;

    NotServingException(DuplicateStanding standing) {
        super(standing.inWords());
        this.standing = standing;
    }

    DuplicateStanding standing() {
        return standing;
    }
}
