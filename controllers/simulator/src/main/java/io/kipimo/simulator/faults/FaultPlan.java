package io.kipimo.simulator.faults;

import java.util.List;

/**
 * All that goes wrong in a run.
 *
 * @param network messages between the tiers
 * @param log messages of the measurement: answers, partial results and observations on their way to
 *     the jobs
 */
public record FaultPlan(List<ServerFault> servers, MessageFaults network, MessageFaults log) {
    /** All is well. */
    public static final FaultPlan NONE =
            new FaultPlan(List.of(), MessageFaults.NONE, MessageFaults.NONE);

    public FaultPlan {
        servers = List.copyOf(servers);
    }
}
