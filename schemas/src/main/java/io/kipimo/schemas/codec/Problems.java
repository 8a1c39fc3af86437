package io.kipimo.schemas.codec;

import io.kipimo.schemas.deadletter.RejectionReason;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps what checks refuse and goes on, for records that people write: they want all problems at
 * once.
 */
final class Problems {
    interface Check<T> {
        T run() throws InvalidRecordException;
    }

    /** More are not listed: a record full of them is no person's slip. */
    private static final int MOST_LISTED = 20;

    private final int mostListed;
    private final List<String> details = new ArrayList<>();
    private RejectionReason first;

    Problems() {
        this(MOST_LISTED);
    }

    /**
     * @param mostListed more problems are not kept
     */
    Problems(int mostListed) {
        this.mostListed = mostListed;
    }

    /** The checked value, or {@code instead} if it was refused. */
    <T> T check(T instead, Check<T> check) {
        try {
            return check.run();
        } catch (InvalidRecordException e) {
            add(e);
            return instead;
        }
    }

    /** {@code value}, or {@code least} if it is not within the closed range. */
    long within(String field, long value, long least, long most) {
        return check(least, () -> Checks.within(field, value, least, most));
    }

    /** {@code value}, or {@code least} if it is not within the closed range. */
    double within(String field, double value, double least, double most) {
        return check(least, () -> Checks.within(field, value, least, most));
    }

    void add(InvalidRecordException problem) {
        if (first == null) {
            first = problem.reason();
        }
        if (details.size() < mostListed) {
            details.addAll(problem.problems());
        }
    }

    /**
     * @throws InvalidRecordException with the reason of the first problem and the details of all
     */
    void throwIfAny() throws InvalidRecordException {
        if (first != null) {
            throw new InvalidRecordException(first, details);
        }
    }
}
