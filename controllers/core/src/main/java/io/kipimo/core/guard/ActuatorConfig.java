package io.kipimo.core.guard;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.field.WithBuilder;
import java.util.OptionalDouble;

/**
 * Limits of an actuator, which no controller can exceed. They are local to the actuator and independent of the log.
 *
 * @param controller controller whose decisions the actuator takes, e.g. {@link Decision#ADMISSION}
 * @param scope scope of the decisions that the actuator takes
 * @param floor least value, 0..1
 * @param ceiling greatest value, in [floor, 1]
 * @param safe value without a valid decision, 0..1
 * @param slewUpPerSecond greatest rise, above 0
 * @param slewDownPerSecond greatest fall, above 0
 * @param maximumAgeMillis decisions on older inputs are refused
 * @param longestLeaseMillis longer leases are cut to this
 * @param decayMillis duration of the move to {@code safe} after a lease
 * @param killSwitch whether to apply the safe value and no decisions
 * @param override value to apply instead of decisions; the kill switch precedes it
 */
@WithBuilder
public record ActuatorConfig(
        String controller,
        String scope,
        double floor,
        double ceiling,
        double safe,
        double slewUpPerSecond,
        double slewDownPerSecond,
        long maximumAgeMillis,
        long longestLeaseMillis,
        long decayMillis,
        boolean killSwitch,
        OptionalDouble override)
        implements ActuatorConfigBuilder.With {

    public ActuatorConfig {
        Bounds.within("floor", floor, 0, 1);
        Bounds.within("ceiling", ceiling, floor, 1);
        Bounds.within("safe", safe, 0, 1);
        Bounds.within("slewUpPerSecond", slewUpPerSecond, 1e-6, 1e6);
        Bounds.within("slewDownPerSecond", slewDownPerSecond, 1e-6, 1e6);
        Bounds.atLeast("maximumAgeMillis", maximumAgeMillis, 1);
        Bounds.atLeast("longestLeaseMillis", longestLeaseMillis, 1);
        Bounds.atLeast("decayMillis", decayMillis, 0);
        override.ifPresent(o -> Bounds.within("override", o, 0, 1));
    }

    /**
     * Returns the default limits of an admitted fraction. The fraction is 0.01 to 1, and rises by at most 0.1 or falls
     * by at most 0.5 a second. Inputs are at most 5 minutes old and leases at most an hour long. After a lease the
     * fraction reaches the safe one within a minute.
     */
    public static ActuatorConfig admission(String scope, double safeFraction) {
        return ActuatorConfigBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope(scope)
                .floor(0.01)
                .ceiling(1)
                .safe(safeFraction)
                .slewUpPerSecond(0.1)
                .slewDownPerSecond(0.5)
                .maximumAgeMillis(300_000)
                .longestLeaseMillis(3_600_000)
                .decayMillis(60_000)
                .build();
    }
}
