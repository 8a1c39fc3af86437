package io.kipimo.console.server;

/** Thrown if a request is refused. The message is one line for people. */
public final class RequestRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * Makes an exception.
     *
     * @param status HTTP status, 400..599
     */
    public RequestRefusedException(int status, String message) {
        super(message);
        this.status = status;
    }

    public RequestRefusedException(int status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
