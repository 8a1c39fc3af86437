package io.kipimo.loadgen.workload;

import io.kipimo.schemas.rating.ExperimentCounts;

/**
 * A target to rate. For every experiment the leading generator first calls {@link #prepare}. Then each generator opens
 * the workload for its share. At the end the leader calls {@link #after}. There is one experiment at a time.
 */
public interface Target extends AutoCloseable {
    /** Brings the target into an experiment's initial state. Blocks until it is there. */
    default Restoration prepare() {
        return Restoration.NONE;
    }

    /** Opens the requests of an experiment. The caller closes them when the experiment is over. */
    Workload open(Share share);

    /**
     * Called after an experiment.
     *
     * @param tally counts of all generators; unpredictable reads may require another way to restore
     */
    default void after(ExperimentCounts tally) {}

    @Override
    default void close() {}
}
