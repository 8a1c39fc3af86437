package io.kipimo.schemas.codec;

import io.kipimo.schemas.deadletter.RejectionReason;
import java.util.List;

/** A record cannot be used. The message names the field, the value and what is allowed. */
public final class InvalidRecordException extends Exception {
    private final RejectionReason reason;
    private final List<String> problems;

    public InvalidRecordException(RejectionReason reason, String detail) {
        this(reason, List.of(detail));
    }

    /**
     * @param reason reason of the first problem
     * @param problems one text per problem, at least one
     */
    public InvalidRecordException(RejectionReason reason, List<String> problems) {
        // No stack trace: a flood of invalid records must not cost more than a flood of valid ones.
        super(String.join(", and ", problems), null, false, false);
        this.reason = reason;
        this.problems = List.copyOf(problems);
    }

    public RejectionReason reason() {
        return reason;
    }

    /** One sentence per problem. Only the codec of policies collects several. */
    public List<String> problems() {
        return problems;
    }
}
