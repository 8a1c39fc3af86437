package io.kipimo.schemas.codec;

import io.kipimo.schemas.deadletter.RejectionReason;

/** A record that cannot be used; the message names field, value and what is allowed. */
public final class InvalidRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    private final RejectionReason reason;

    public InvalidRecordException(RejectionReason reason, String detail) {
        // No stack trace: a flood of poison must not cost more than a flood of good records.
        super(detail, null, false, false);
        this.reason = reason;
    }

    public RejectionReason reason() {
        return reason;
    }
}
