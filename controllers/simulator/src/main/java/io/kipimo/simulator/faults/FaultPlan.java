package io.kipimo.simulator.faults;

import java.util.List;

/**
 * All faults of a run.
 *
 * @param network messages between the tiers
 * @param log messages of the measurement: answers, partial results and observations to the jobs
 */
public record FaultPlan(List<ServerFault> servers, MessageFaults network, MessageFaults log) {
    /** No faults. */
    public static final FaultPlan NONE = new FaultPlan(List.of(), MessageFaults.NONE, MessageFaults.NONE);

    public FaultPlan {
        servers = List.copyOf(servers);
    }
}
