package io.kipimo.schemas.codec;

import io.kipimo.schemas.deadletter.RejectionReason;
import java.util.List;

/** A record that cannot be used; the message names field, value and what is allowed. */
public final class InvalidRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    private final RejectionReason reason;
    private final List<String> problems;

    public InvalidRecordException(RejectionReason reason, String detail) {
        this(reason, List.of(detail));
    }

    /**
     * @param reason of the first problem
     * @param problems at least one
     */
    public InvalidRecordException(RejectionReason reason, List<String> problems) {
        // No stack trace: a flood of poison must not cost more than a flood of good records.
        super(String.join(", and ", problems), null, false, false);
        this.reason = reason;
        this.problems = List.copyOf(problems);
    }

    public RejectionReason reason() {
        return reason;
    }

    /** One sentence a problem; more than one only where a codec collects them (policies). */
    public List<String> problems() {
        return problems;
    }
}
