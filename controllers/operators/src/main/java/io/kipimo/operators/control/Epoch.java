package io.kipimo.operators.control;

import org.apache.flink.api.common.functions.RuntimeContext;

/** The epoch of one subtask's attempt, claimed before its first decision. */
final class Epoch {
    private final EpochClaimer claimer;
    private final String controller;
    private final RuntimeContext context;
    private long epoch;

    Epoch(EpochClaimer claimer, String controller, RuntimeContext context) {
        this.claimer = claimer;
        this.controller = controller;
        this.context = context;
    }

    long at(long nowMillis) throws Exception {
        if (epoch == 0) {
            epoch = claimer.claim(
                    controller,
                    context.getJobInfo().getJobName()
                            + "-"
                            + context.getTaskInfo().getIndexOfThisSubtask(),
                    nowMillis);
        }
        return epoch;
    }
}
