package io.kipimo.sdk.internal.kafka;

/** Others changed the same policy at the same time, again and again; the message is one line. */
public final class PolicyConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PolicyConflictException(String service, int attempts) {
        super(
                "policy of '"
                        + service
                        + "' was changed by others "
                        + attempts
                        + " times while it was being changed here; look at it and try again");
    }
}
