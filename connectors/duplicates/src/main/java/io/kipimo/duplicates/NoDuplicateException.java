package io.kipimo.duplicates;

/** No duplicate answered, or not every one answered a write to all. */
public final class NoDuplicateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoDuplicateException(String message, Throwable cause) {
        super(message, cause);
    }
}
