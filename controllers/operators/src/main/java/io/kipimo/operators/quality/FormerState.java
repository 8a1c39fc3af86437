package io.kipimo.operators.quality;

import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** States that Flink would ignore silently, because another kind of state has their name now. */
final class FormerState {
    private FormerState() {}

    /**
     * Refuses a list state of the operator, whose restart would fail again.
     *
     * @throws SuppressRestartsException if the restored state has it
     */
    static void refuseList(OperatorStateStore store, String uid, String name) {
        if (store.getRegisteredStateNames().contains(name)) {
            throw new SuppressRestartsException(
                    new IllegalStateException(
                            "the savepoint has state '"
                                    + name
                                    + "' of "
                                    + uid
                                    + " as a list of all subtasks, which this version does not"
                                    + " read; allowed: a savepoint of this version, or none, and"
                                    + " the job continues at its committed offsets"));
        }
    }
}
