package io.kipimo.schemas.rating;

/** Command to load generators. */
public enum ExperimentStep {
    /** Report whether you can load the target. */
    ROLL_CALL,
    /** Open the workload for your share. The first generator also restores the target's state. */
    PREPARE,
    /** Load the target. */
    RUN,
    /** The result is decided; send the final report. */
    STOP,
    /** Drop the experiment. */
    CANCEL
}
