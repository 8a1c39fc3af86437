package io.kipimo.loadgen.workload;

import io.kipimo.core.rating.ExperimentTally;
import java.util.concurrent.CompletionStage;

/**
 * What is asked of a target: requests of many users, whatever imposes the load. Safe for many
 * threads.
 */
public interface Workload extends AutoCloseable {
    /**
     * One user: he asks one request after the other.
     *
     * @param user 0 or more; the same user with the same seed asks the same
     * @param seed of his choices
     */
    Session session(long user, long seed);

    /**
     * Whether {@link Session#request} returns only when the request has ended: it needs threads.
     */
    default boolean blocking() {
        return false;
    }

    /**
     * What was found out about requests behind their outcomes, such as reads that were validated
     * after they had been answered; adds to what the outcomes tell. Called once, when the run is
     * over and before {@link #close}; blocks until all is known.
     */
    default ExperimentTally findings() {
        return ExperimentTally.NONE;
    }

    @Override
    void close();

    /** One user's requests; not for two threads at once. */
    interface Session extends AutoCloseable {
        /** Asks the next request; never fails exceptionally: a failed request is an outcome. */
        CompletionStage<RequestOutcome> request();

        /** Before the next request of a closed load, microseconds, 0 or more. */
        default long thinkMicros() {
            return 0;
        }

        /**
         * How late the last request left because of this side's own threads, microseconds; asked
         * for when it has ended.
         */
        default long lagMicros() {
            return 0;
        }

        @Override
        default void close() {}
    }
}
