package io.kipimo.http;

/** The head of a request is ambiguous or not supported. The message is one line for people. */
public final class HeadRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    HeadRefusedException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** HTTP status, 400..599. */
    public int status() {
        return status;
    }
}
