package io.kipimo.gateway.record;

import io.kipimo.schemas.completeness.ToldCompleteness;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Result of recording an answer.
 *
 * @param lacksSome whether a component is missing that a replay may supply
 * @param completeness what the caller may be told about missing parts
 */
public record RecordedAnswer(boolean lacksSome, ToldCompleteness completeness) {
    /**
     * Whether an answer is whole, on positive evidence only. If whole answers are also run again, it stays unknown.
     *
     * @param unmeasurable why the answer is not measurable; empty: it is
     * @param asked components of the query, without an engine's exact search
     * @param isExact false: whole answers are run again
     */
    static ToldCompleteness completeness(
            Optional<Unmeasurable> unmeasurable, List<Invocation> asked, ResponseReading reading, boolean isExact) {
        if (unmeasurable.equals(Optional.of(Unmeasurable.FAILED_ANSWER))) {
            return ToldCompleteness.UNKNOWN;
        }
        long inTime = asked.stream().filter(i -> i.outcome() == Outcome.IN_TIME).count();
        if (reading.isCut() || inTime < asked.size()) {
            boolean isListed = reading.parts().isEmpty()
                    && !reading.isCut()
                    && !unmeasurable.equals(Optional.of(Unmeasurable.NOT_ASKED))
                    && !unmeasurable.equals(Optional.of(Unmeasurable.NO_COMPONENTS));
            return ToldCompleteness.cut(
                    isListed ? OptionalDouble.of((double) inTime / asked.size()) : reading.answered());
        }
        return unmeasurable.isEmpty() && isExact ? ToldCompleteness.WHOLE : ToldCompleteness.UNKNOWN;
    }
}
