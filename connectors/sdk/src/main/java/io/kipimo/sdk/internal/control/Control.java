package io.kipimo.sdk.internal.control;

import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decisions in force, and emission of measurements. Implementations are thread-safe and never block. What one leaves
 * out makes no copies, samples nothing and emits nothing.
 */
public interface Control extends AutoCloseable {
    /**
     * Whether a query is admitted by the fraction in force.
     *
     * @param cost predicted; unknown unless finite and above 0
     */
    boolean admits(String queryClass, String queryId, double cost);

    /** The admitted fraction in force, 0..1. */
    double fraction(String queryClass);

    /**
     * Milliseconds since the newest decision was issued, or since the start if there is none; empty: there is no
     * controller.
     */
    default OptionalLong decisionAgeMillis(String queryClass) {
        return OptionalLong.empty();
    }

    /** Number of copies of a request of the tier, at least 1. */
    default int factor(String tier) {
        return 1;
    }

    default boolean isSampled(String queryId, long startedAtMillis) {
        return false;
    }

    /**
     * Whether a query is sampled that is known only with a probability. The decision is such that, over all queries,
     * the measured share is the sampling rate.
     *
     * @param probability probability with which the query is known, independent of its id, above 0, at most 1
     */
    default boolean isSampled(String queryId, long startedAtMillis, double probability) {
        return isSampled(queryId, startedAtMillis);
    }

    /** Whether ONLINE results are emitted. */
    default boolean wantsPartials(Answer answer) {
        return false;
    }

    default void emit(Answer answer) {}

    default void emit(PartialResult partial) {}

    /** @param cost as given to {@link #admits} */
    default void offered(String queryClass, double cost) {}

    default void rejected(String queryClass) {}

    /**
     * Counts an answer, with a reason if it is not measurable. It may not have asked all components.
     *
     * @param variant as {@link #variant} returns it
     * @param cost as given to {@link #offered}
     * @param notAskedLoss expected loss by what was not asked, 0..1; empty: all were asked
     */
    default void answered(
            String queryClass,
            String variant,
            List<Invocation> invocations,
            Optional<Unmeasurable> unmeasurable,
            double cost,
            Optional<Double> notAskedLoss) {}

    /**
     * Counts an answer whose list was read.
     *
     * @param variant as {@link #variant} returns it
     * @param items number of items in the list
     */
    default void listed(String queryClass, String variant, int items) {}

    /**
     * The name under which a variant counts; empty: that of the gateway.
     *
     * @param named as a server named it; may be any text
     */
    default String variant(String named) {
        return named;
    }

    /**
     * The components to ask for a query.
     *
     * @param components all of the service
     */
    default FanOutChoice choose(String queryClass, String queryId, Features features, List<String> components) {
        return FanOutChoice.all(components, FanOutChoice.Reason.NOT_PUBLISHED);
    }

    default void lateResult(String queryClass, long workMicros) {}

    /** Creates the reporter of a server's load, which reports every second. */
    default ServerReporter reporter(ServerIdentity server) {
        return ServerReporter.silent(server);
    }

    /** Publishes whether answers depended on which server was asked. */
    default void report(ReplicaTruth truth) {}

    @Override
    default void close() {}
}
