package io.kipimo.simulator.control;

import io.kipimo.core.replication.ReplicationSettings;
import io.kipimo.simulator.workload.ModelChecks;

/**
 * How the replicator runs.
 *
 * @param settings as the job gets them
 * @param windowSeconds of each window
 * @param delaySeconds of a window to the replicator and of its decision back, together
 */
public record ReplicationSpec(ReplicationSettings settings, double windowSeconds, double delaySeconds) {
    public ReplicationSpec {
        ModelChecks.above("window of readings", windowSeconds, 0);
        ModelChecks.atLeast("delay of readings", delaySeconds, 0);
    }
}
