package io.kipimo.examples.search.frontend;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import java.util.List;
import java.util.OptionalDouble;

/** The front end's interface to the measuring system. Calls never block. */
public interface Telemetry {
    /** Measures nothing and admits everything, as without Kipimo. */
    Telemetry NONE =
            new Telemetry() {
                @Override
                public boolean isSampled(String queryId, long startedAtMillis) {
                    return false;
                }

                @Override
                public boolean admits(String queryClass, String queryId) {
                    return true;
                }

                @Override
                public OptionalDouble predictedCompleteness(
                        String queryClass, List<Invocation> invocations) {
                    return OptionalDouble.empty();
                }

                @Override
                public void answer(Answer answer) {}

                @Override
                public boolean wantsPartials(Answer answer) {
                    return false;
                }

                @Override
                public void partial(PartialResult partial) {}

                @Override
                public void offered(String queryClass) {}

                @Override
                public void rejected(String queryClass) {}

                @Override
                public void answered(String queryClass, List<Invocation> invocations) {}

                @Override
                public void lateResult(String queryClass, long workMicros) {}
            };

    /**
     * Whether a query is measured.
     *
     * @param startedAtMillis when the query started, epoch milliseconds
     */
    boolean isSampled(String queryId, long startedAtMillis);

    boolean admits(String queryClass, String queryId);

    /** Expected quality of an answer, 0..1; empty: unknown. */
    OptionalDouble predictedCompleteness(String queryClass, List<Invocation> invocations);

    /** Of a sampled query. */
    void answer(Answer answer);

    /** Whether to emit the partial results in the answer to a sampled query. */
    boolean wantsPartials(Answer answer);

    /**
     * Emits a partial result of a sampled query: a requested one from the answer, or a late one.
     */
    void partial(PartialResult partial);

    /** Counts a query that asks to be admitted, sampled or not. */
    void offered(String queryClass);

    /** Counts a query that was shed at admission. */
    void rejected(String queryClass);

    /** Counts an answer that left, with the outcome of each component. */
    void answered(String queryClass, List<Invocation> invocations);

    /**
     * Counts work that only the measurement caused.
     *
     * @param workMicros of the component after the deadline, without waiting, microseconds
     */
    void lateResult(String queryClass, long workMicros);
}
