package io.kipimo.loadgen.workload;

import io.kipimo.core.replication.RecordedArrivals;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The requests of many users to a target. They are independent of the way in which load is generated. Thread-safe. */
public interface Workload extends AutoCloseable {
    /**
     * Makes one user, who sends one request after another.
     *
     * @param user 0 or more; the same user with the same seed sends the same requests
     * @param seed of the user's choices
     */
    Session session(long user, long seed);

    /** Returns whether {@link Session#request} blocks until the request has ended. Then users need threads. */
    default boolean blocking() {
        return false;
    }

    /** Recorded arrivals for an open load; empty: arrivals are a Poisson process. */
    default Optional<RecordedArrivals> arrivals() {
        return Optional.empty();
    }

    /**
     * Counts beyond the outcomes of requests, such as those of reads that were validated after their answer. They are
     * added to the outcomes. Called once, after the run and before {@link #close}. Blocks until all counts are known.
     */
    default ExperimentCounts findings() {
        return ExperimentCounts.NONE;
    }

    @Override
    default void close() {}

    /** A workload whose sessions block. */
    interface Blocking extends Workload {
        @Override
        default boolean blocking() {
            return true;
        }
    }

    /** The requests of one user. Only one thread at a time may use a session. */
    interface Session extends AutoCloseable {
        /** Sends the next request. The stage never completes exceptionally: a failure is an outcome, too. */
        CompletionStage<RequestOutcome> request();

        /**
         * Sets the recorded request that the next request repeats. Called before {@link #request} if arrivals are
         * replayed.
         */
        default void recorded(String text) {}

        /** Think time before the next request of a closed load, microseconds, 0 or more. */
        default long thinkMicros() {
            return 0;
        }

        /**
         * Time in microseconds that the last request waited for the generator's own threads. To be called when the
         * request has ended.
         */
        default long lagMicros() {
            return 0;
        }

        @Override
        default void close() {}
    }
}
