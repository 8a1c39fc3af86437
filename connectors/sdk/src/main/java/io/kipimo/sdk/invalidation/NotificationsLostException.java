package io.kipimo.sdk.invalidation;

/** A reader cannot continue because the next notifications are lost or unreadable. */
public final class NotificationsLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotificationsLostException(String message) {
        super(message);
    }
}
