package io.kipimo.duplicates;

/** No duplicate answered, or of a write to all not every one did. */
public final class NoDuplicateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoDuplicateException(String message, Throwable cause) {
        super(message, cause);
    }
}
