package io.kipimo.schemas.rating;

/** What load generators are told. */
public enum ExperimentStep {
    /** Say whether you can load the target. */
    ROLL_CALL,
    /** Open the workload for your share; the first generator restores the target's state. */
    PREPARE,
    /** Load it. */
    RUN,
    /** It is decided; hand in what there is. */
    STOP,
    /** Forget it. */
    CANCEL
}
