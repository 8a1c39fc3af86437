package io.kipimo.schemas.codec;

import io.kipimo.schemas.deadletter.RejectionReason;
import java.util.ArrayList;
import java.util.List;

/** Collects problems instead of failing at the first one, for records that people write. */
final class Problems {
    interface RecordCheck<T> {
        T run() throws InvalidRecordException;
    }

    /** Greatest number of problems that are listed; a person's slip causes fewer. */
    private static final int MOST_LISTED = 20;

    private final int mostListed;
    private final List<String> details = new ArrayList<>();
    private RejectionReason first;

    Problems() {
        this(MOST_LISTED);
    }

    /** @param mostListed number of problems that are kept */
    Problems(int mostListed) {
        this.mostListed = mostListed;
    }

    /**
     * Returns the value that {@code check} returns. If the check refuses it, adds the problem and returns
     * {@code instead}.
     */
    <T> T check(T instead, RecordCheck<T> check) {
        try {
            return check.run();
        } catch (InvalidRecordException e) {
            add(e);
            return instead;
        }
    }

    /** Returns {@code value}. If it is not within the closed range, adds the problem and returns {@code least}. */
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

    /** @throws InvalidRecordException with the reason of the first problem and the details of all */
    void throwIfAny() throws InvalidRecordException {
        if (first != null) {
            throw new InvalidRecordException(first, details);
        }
    }
}
