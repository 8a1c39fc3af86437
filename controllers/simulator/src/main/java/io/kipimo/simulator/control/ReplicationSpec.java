package io.kipimo.simulator.control;

import io.kipimo.core.replication.ReplicationSettings;
import io.kipimo.simulator.workload.ModelChecks;

/**
 * Settings of how the replicator runs.
 *
 * @param settings settings as the job gets them
 * @param windowSeconds length of each window
 * @param delaySeconds total delay of a window on its way to the replicator and of its decision on its way back
 */
public record ReplicationSpec(ReplicationSettings settings, double windowSeconds, double delaySeconds) {
    public ReplicationSpec {
        ModelChecks.above("window of readings", windowSeconds, 0);
        ModelChecks.atLeast("delay of readings", delaySeconds, 0);
    }
}
