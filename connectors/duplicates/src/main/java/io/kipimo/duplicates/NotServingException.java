package io.kipimo.duplicates;

/** A duplicate must not answer now. */
final class NotServingException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Standing standing;

    NotServingException(Standing standing) {
        super(standing.inWords());
        this.standing = standing;
    }

    Standing standing() {
        return standing;
    }
}
