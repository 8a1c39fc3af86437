package io.kipimo.duplicates;

/** No duplicate answered, or a write to all was not answered by all. */
public final class NoDuplicateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoDuplicateException(String message, Throwable cause) {
        super(message, cause);
    }
}
