package io.kipimo.core.quality.deadline;

import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlinePoint;
import java.util.Optional;

/**
 * The shortest deadline of a curve that keeps an objective.
 *
 * @param point the deadline with its quality; empty unless the outcome is {@link DeadlineOutcome#KEEPS}
 */
public record DeadlineAdvice(DeadlineOutcome outcome, Optional<DeadlinePoint> point) {
    /** Whether the curve has a deadline that keeps the objective. */
    public enum DeadlineOutcome {
        /** The curve has such a deadline, with 95 % confidence. */
        KEEPS,
        /** The intervals of all deadlines, even of the longest, lie below the objective. */
        NONE,
        /** The intervals are too wide, or the curve is empty. */
        CANNOT_TELL
    }

    /**
     * The first point of the curve whose interval lies wholly at or above the objective; points are not interpolated.
     *
     * @param objective mean answer quality, 0..1
     */
    public static DeadlineAdvice shortestKeeping(DeadlineCurve curve, double objective) {
        Optional<DeadlinePoint> first = curve.points().stream()
                .filter(p -> p.quality().low() >= objective)
                .findFirst();
        if (first.isPresent()) {
            return new DeadlineAdvice(DeadlineOutcome.KEEPS, first);
        }
        boolean noneCan = !curve.points().isEmpty()
                && curve.points().stream().allMatch(p -> p.quality().high() < objective);
        return new DeadlineAdvice(noneCan ? DeadlineOutcome.NONE : DeadlineOutcome.CANNOT_TELL, Optional.empty());
    }
}
