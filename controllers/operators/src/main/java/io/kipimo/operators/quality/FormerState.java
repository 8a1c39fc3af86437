package io.kipimo.operators.quality;

import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * States that Flink would ignore silently. Either another kind of state now has their name, or their operator is not in
 * the job, which a restart by a high-availability store allows.
 */
final class FormerState {
    private FormerState() {}

    /**
     * Refuses a list state of the operator. It suppresses restarts, since they would fail again.
     *
     * @throws SuppressRestartsException if the restored state has it
     */
    static void refuseList(OperatorStateStore store, String uid, String name) {
        if (store.getRegisteredStateNames().contains(name)) {
            throw new SuppressRestartsException(new IllegalStateException(
                    ("the savepoint has state '%s' of %s as a list of all subtasks, which this version "
                                    + "does not read; allowed: a savepoint of this version, or none, and the job continues "
                                    + "at its committed offsets")
                            .formatted(name, uid)));
        }
    }

    /**
     * Refuses a restored job whose state has another join: its open queries would be lost.
     *
     * @param name of a broadcast state that every join has
     * @throws SuppressRestartsException if the restored state lacks it
     */
    static void refuseOtherJoin(StateInitializationContext context, String name) {
        if (context.isRestored()
                && !context.getOperatorStateStore()
                        .getRegisteredBroadcastStateNames()
                        .contains(name)) {
            throw new SuppressRestartsException(
                    new IllegalStateException("the savepoint or checkpoint is of a job with another join.path than"
                            + " this one; allowed: the path of that job, or no savepoint,"
                            + " and the job continues at its committed offsets"));
        }
    }
}
