package io.kipimo.loadgen.workload;

import io.kipimo.core.replication.RecordedArrivals;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Requests of many users to a target, independent of how the load is generated. Thread-safe. */
public interface Workload extends AutoCloseable {
    /**
     * One user, who sends one request after another.
     *
     * @param user 0 or more; the same user with the same seed sends the same requests
     * @param seed of the user's choices
     */
    Session session(long user, long seed);

    /** Whether {@link Session#request} blocks until the request has ended, so that users need threads. */
    default boolean blocking() {
        return false;
    }

    /** Arrivals of an open load; empty: a Poisson process. */
    default Optional<RecordedArrivals> arrivals() {
        return Optional.empty();
    }

    /**
     * Findings about requests beyond their outcomes, such as reads that were validated after their answer; they add to
     * the outcomes. Called once, after the run and before {@link #close}; blocks until all are known.
     */
    default ExperimentCounts findings() {
        return ExperimentCounts.NONE;
    }

    @Override
    default void close() {}

    /** Sessions that block. */
    interface Blocking extends Workload {
        @Override
        default boolean blocking() {
            return true;
        }
    }

    /** One user's requests; not for two threads at once. */
    interface Session extends AutoCloseable {
        /** Sends the next request. Never completes exceptionally: a failure is an outcome. */
        CompletionStage<RequestOutcome> request();

        /**
         * The recorded request that the next request repeats; called before {@link #request} if arrivals are replayed.
         */
        default void recorded(String text) {}

        /** Think time before the next request of a closed load, microseconds, 0 or more. */
        default long thinkMicros() {
            return 0;
        }

        /**
         * Delay of the last request by the generator's own threads, microseconds; call it when the request has ended.
         */
        default long lagMicros() {
            return 0;
        }

        @Override
        default void close() {}
    }
}
