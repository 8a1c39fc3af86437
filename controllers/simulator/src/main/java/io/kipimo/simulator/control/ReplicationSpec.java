package io.kipimo.simulator.control;

import io.kipimo.core.replication.ReplicationSettings;
import io.kipimo.simulator.workload.ModelChecks;

/**
 * How the replicator runs.
 *
 * @param settings as the job gets them
 * @param windowSeconds of each reading
 * @param delaySeconds of a reading on its way and of a decision on its way back, together
 */
public record ReplicationSpec(
        ReplicationSettings settings, double windowSeconds, double delaySeconds) {
    public ReplicationSpec {
        ModelChecks.above("window of readings", windowSeconds, 0);
        ModelChecks.atLeast("delay of readings", delaySeconds, 0);
    }
}
