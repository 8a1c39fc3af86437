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
 * Access to the decisions in force, and emission of events for measurements. Implementations are thread-safe and never
 * block. The default methods make no copies, sample nothing and emit nothing.
 */
public interface Control extends AutoCloseable {
    /**
     * Whether a query is admitted by the fraction in force.
     *
     * @param cost predicted cost; unknown unless finite and above 0
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
     * Whether a query is sampled, if this process learns of queries only with a certain probability. The decision makes
     * up for this, so that the measured share of all queries is the sampling rate.
     *
     * @param probability probability of learning of the query, independent of its id, above 0, at most 1
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
     * Counts an answer, with a reason if it is not measurable. Some components may not have been asked.
     *
     * @param variant as {@link #variant} returns it
     * @param cost as given to {@link #offered}
     * @param notAskedLoss expected loss by components that were not asked, 0..1; empty: all were asked, or unknown
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
     * The name under which a variant counts; empty: the gateway's own variant.
     *
     * @param named as a server named it; may be any text
     */
    default String variant(String named) {
        return named;
    }

    /**
     * The components to ask for a query.
     *
     * @param components all components of the service
     */
    default FanOutChoice choose(String queryClass, String queryId, Features features, List<String> components) {
        return FanOutChoice.all(components, FanOutChoice.Reason.NOT_PUBLISHED);
    }

    default void lateResult(String queryClass, long workMicros) {}

    /** Creates the reporter of a server's load, which reports every second. */
    default ServerReporter reporter(ServerIdentity server) {
        return ServerReporter.silent(server);
    }

    /** Publishes comparisons of servers' answers to the same queries. */
    default void report(ReplicaTruth truth) {}

    @Override
    default void close() {}
}
