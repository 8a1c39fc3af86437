package io.kipimo.sdk.invalidation;

/** A reader cannot go on where it was: notifications in between cannot be had any more. */
public final class NotificationsLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotificationsLostException(String message) {
        super(message);
    }
}
