package io.kipimo.loadgen.workload;

import io.kipimo.core.rating.ExperimentTally;

/**
 * What is rated. For every experiment the generator that leads calls {@link #prepare}, then each
 * generator opens the workload for its share, then the leader calls {@link #after}; one experiment
 * at a time.
 */
public interface Target extends AutoCloseable {
    /** Brings the target into the state that an experiment starts from, and blocks until it is. */
    default Restoration prepare() {
        return Restoration.NONE;
    }

    /** The requests of an experiment; the caller closes it when the experiment is over. */
    Workload open(Share share);

    /**
     * When an experiment is over.
     *
     * @param tally of all generators; unpredictable reads may call for another way to restore
     */
    default void after(ExperimentTally tally) {}

    @Override
    default void close() {}
}
