package io.kipimo.simulator.faults;

import io.kipimo.simulator.workload.ModelChecks;

/**
 * A fault of one server for some time.
 *
 * @param tier name of the server's tier
 * @param server index among the partition's servers, from 0
 * @param untilSeconds end of the fault, after {@code fromSeconds}
 * @param speed speed of a slow server, 0 (it hangs) to 1
 * @param periodSeconds period of a flapping server: it is dead for half of it and alive for the other half
 */
public record ServerFault(
        FaultKind kind,
        String tier,
        int partition,
        int server,
        double fromSeconds,
        double untilSeconds,
        double speed,
        double periodSeconds) {

    /** Kind of fault. */
    public enum FaultKind {
        /** The server works at a fraction of its speed. */
        SLOW,
        /** The server loses its requests and all that arrive. */
        DEAD,
        /** The server is dead and alive in turn. */
        FLAPPING
    }

    public ServerFault {
        ModelChecks.atLeast("partition", partition, 0);
        ModelChecks.atLeast("server", server, 0);
        ModelChecks.atLeast("start of a fault", fromSeconds, 0);
        ModelChecks.above("end of a fault", untilSeconds, fromSeconds);
        ModelChecks.fraction("speed of a slow server", speed);
        ModelChecks.above("period of a flapping server", periodSeconds, 0);
    }
}
