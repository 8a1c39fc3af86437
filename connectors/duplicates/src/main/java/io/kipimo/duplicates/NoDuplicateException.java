package io.kipimo.duplicates;

/** Thrown if no duplicate answered, or if not all duplicates answered a write to all of them. */
public final class NoDuplicateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoDuplicateException(String message, Throwable cause) {
        super(message, cause);
    }
}
