package io.kipimo.examples.search.frontend;

import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The front end's interface to the measuring system. Calls never block. */
public interface Telemetry {
    /** Measures nothing and admits everything, as a service without Kipimo does. */
    Telemetry NONE = new Telemetry() {};

    /**
     * Returns whether a query is measured.
     *
     * @param startedAtMillis when the query started, epoch milliseconds
     */
    default boolean isSampled(String queryId, long startedAtMillis) {
        return false;
    }

    default boolean admits(OfferedQuery query) {
        return true;
    }

    /**
     * Chooses the components to ask for a query.
     *
     * @param components all components of the service
     */
    default FanOutChoice choose(OfferedQuery query, Features features, List<String> components) {
        return FanOutChoice.all(components, FanOutChoice.Reason.NOT_PUBLISHED);
    }

    /** Expected quality of an answer, 0..1; empty: unknown. */
    default OptionalDouble predictedCompleteness(String queryClass, List<Invocation> invocations) {
        return OptionalDouble.empty();
    }

    /** Emits the answer to a sampled query. */
    default void answer(Answer answer) {}

    /** Returns whether the partial results in the answer to a sampled query are to be emitted. */
    default boolean wantsPartials(Answer answer) {
        return false;
    }

    /** Emits a partial result of a sampled query. It is part of the answer and was requested, or it is late. */
    default void partial(PartialResult partial) {}

    /** Counts a query that asks to be admitted. Unsampled queries count, too. */
    default void offered(OfferedQuery query) {}

    /** Counts a query that was shed at admission. */
    default void rejected(OfferedQuery query) {}

    /**
     * Counts an answer that left, with the outcome of each component.
     *
     * @param notAskedLoss quality that the components not asked are expected to cost; empty: all were asked
     */
    default void answered(OfferedQuery query, List<Invocation> invocations, Optional<Double> notAskedLoss) {}

    /**
     * Counts work that only the measurement caused.
     *
     * @param workMicros of the component after the deadline, without waiting, microseconds
     */
    default void lateResult(String queryClass, long workMicros) {}
}
