package io.kipimo.simulator.scenario;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.simulator.control.ControlSpec;
import io.kipimo.simulator.control.ReplicationSpec;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.workload.ModelChecks;
import java.util.Optional;

/**
 * A scenario of a service, with the time for which it is simulated.
 *
 * @param seconds length of the run in virtual time
 * @param warmUpSeconds time at the start that counts in the plots but not in the summary
 * @param slotSeconds time that one point in the plots covers
 * @param threshold true mean quality that a window of the highest class should reach, 0..1; a controller's objective
 *     must be above it, because otherwise half of the windows would be below
 * @param control empty: nothing is measured or controlled, and everything is admitted
 * @param replication empty: each tier keeps its factor
 */
@WithBuilder
public record Scenario(
        String name,
        String description,
        double seconds,
        double warmUpSeconds,
        double slotSeconds,
        long seed,
        double threshold,
        ServiceSpec service,
        Optional<ControlSpec> control,
        Optional<ReplicationSpec> replication)
        implements ScenarioBuilder.With {
    public Scenario {
        ModelChecks.above("seconds", seconds, 0);
        ModelChecks.atLeast("warm_up_seconds", warmUpSeconds, 0);
        ModelChecks.above("seconds after warm_up_seconds", seconds - warmUpSeconds, 0);
        ModelChecks.above("slot_seconds", slotSeconds, 0);
        ModelChecks.fraction("threshold", threshold);
    }

    /** The scenario with another control. */
    public Scenario withControl(ControlSpec newControl) {
        return withControl(Optional.of(newControl));
    }
}
